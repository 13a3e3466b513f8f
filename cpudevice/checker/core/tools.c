/* tools.c: which tools of the checker are on. */
#include "core/tools.h"

unsigned check_tools = TOOL_MEM | TOOL_RACE | TOOL_INIT | TOOL_SYNC | TOOL_HOST;
int check_observer;
