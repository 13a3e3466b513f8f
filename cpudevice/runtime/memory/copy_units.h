/* copy_units.h: copies and memsets are done, piece by piece. */
#ifndef COPY_UNITS_H
#define COPY_UNITS_H

#include "stream/command.h"

enum { PIECE = 4 << 20 }; /* bytes of a unit of a copy of one row */

void run_copy_units(command *c, unsigned long long first, unsigned long long end);

#endif
