/* tools.h: which tools of the checker are on. */
#ifndef CHECKER_TOOLS_H
#define CHECKER_TOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "observe/observer.h"

#define likely(x) __builtin_expect(!!(x), 1)

#define unlikely(x) __builtin_expect(!!(x), 0)

enum { TOOL_MEM = 1, TOOL_RACE = 2, TOOL_INIT = 4, TOOL_SYNC = 8, TOOL_HOST = 16, TOOL_COUNTERS = 32 };

extern unsigned check_tools; // CUDA_CPU_TOOLS

#define CALLER __builtin_return_address(0)

extern int check_observer; /* the number that the runtime knows the checker by */

#endif
