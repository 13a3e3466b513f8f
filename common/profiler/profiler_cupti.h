/* profiler_cupti.h: what the two files of CUPTI's back end share. Internal.
 *
 * Only for programs built with a toolkit that has CUPTI's headers. */
#ifndef PROFILER_CUPTI_H
#define PROFILER_CUPTI_H

#include <cupti.h>
#include <stdint.h>

/* clang-format off */
#define CUPTI_FUNCTIONS(X) \
    X(cuptiGetVersion) \
    X(cuptiSubscribe) \
    X(cuptiUnsubscribe) \
    X(cuptiActivityRegisterCallbacks) \
    X(cuptiActivityEnable) \
    X(cuptiActivityDisable) \
    X(cuptiActivityFlushAll) \
    X(cuptiActivityGetNextRecord) \
    X(cuptiSetThreadIdType) \
    X(cuptiGetCallbackName) \
    X(cuptiGetResultString) \
    X(cuptiGetTimestamp) \
    X(cuptiActivityGetNumDroppedRecords)
#define CUPTI_OPTIONAL(X) \
    X(cuptiActivityRegisterTimestampCallback) \
    X(cuptiActivityConfigureUnifiedMemoryCounter) \
    X(cuptiActivityEnableDriverApi) \
    X(cuptiEnableCallback)
/* clang-format on */

#define DECLARE(f) __typeof__(&f) f;
typedef struct CuptiLibrary {
    CUPTI_FUNCTIONS(DECLARE)
    CUPTI_OPTIONAL(DECLARE) /* NULL where CUPTI has no such function */
} CuptiLibrary;
#undef DECLARE
extern CuptiLibrary cupti; /* loaded by profiler_cupti.c */

/* Puts one record of CUPTI's into the store. clock_offset: ns to be added to CUPTI's times; migrations: whether
 * those of managed memory are wanted. Called by CUPTI's own thread. */
void cupti_convert(const CUpti_Activity *record, int64_t clock_offset, int migrations);

/* From cupti_quiet_begin() to cupti_quiet_end() the calling thread's waits are the profiler's, not the program's.
 * Times are prof_now_ns(). */
unsigned cupti_quiet_begin(void);
void cupti_quiet_end(unsigned number);

#endif
