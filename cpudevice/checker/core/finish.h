/* finish.h: the end of the process. */
#ifndef CHECKER_FINISH_H
#define CHECKER_FINISH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void check_host_init(void);
void check_reset(void);

#endif
