/* hooks.c: the table of the checker's calls that go up. */
#include "core/hooks.h"

struct check_hooks check_hooks;
