/* grid.h: blocks of a cooperative launch meet at the grid's barrier. */
#ifndef GRID_H
#define GRID_H

#include "stream/command.h"

unsigned grid_barrier(command *c); /* 0, or how many blocks have ended and so will never come */
void grid_left(command *c);        /* a block has ended */

#endif
