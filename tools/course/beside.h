/* beside.h: an exercise's answer and its solution under the model of a GPU. */
#ifndef BESIDE_H
#define BESIDE_H

#include "commands.h"

/* Builds both, runs them with these options, and says how long the launches of each would take on that chip. Returns 1
 * where there is no time for one of them, and says why. */
int beside_solution(const Course *c, const Exercise *e, const char *chip, const List *options);

#endif
