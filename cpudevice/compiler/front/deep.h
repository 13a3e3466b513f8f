/* deep.h: nesting that the stack cannot hold. */
#ifndef DEEP_H
#define DEEP_H

/* From now on a stack that is used up ends the program with a line that says so, and status 1. */
void say_too_deep(void);

#endif
