/* profiler_result.h: what was recorded last, and the profiler's errors. Internal. */
#ifndef PROFILER_RESULT_H
#define PROFILER_RESULT_H

#include "profiler_core.h"

/* From now on reports are of this, whose owner they become; of nothing if it is NULL. What was there before goes. */
void prof_result_keep(prof_source *source);

/* Sets what profiler_last_error() says, and returns the code. */
int prof_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line on stderr. */
void prof_warn(const char *message);

#endif
