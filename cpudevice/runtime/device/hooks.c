/* hooks.c: the table of the calls that go up. */
#include "device/hooks.h"

struct runtime_hooks runtime_hooks;
