/* call.h: the beginning and end of each call of the runtime.
 *
 * A function of the API begins with API; and ends with RETURN(e); which records e, or with `return call_.status = e;`
 * where another such function has done that. */
#ifndef CALL_H
#define CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/last_error.h"

typedef struct {
    const char *name;
    uint64_t start; /* now_ticks(); 0 if no observer listened */
    cudaError_t status;
    bool nested; /* by a kernel */
} api_call;
api_call api_enter_from(const char *name, const void *caller);
void api_leave(api_call *call);
#define API api_call call_ __attribute__((cleanup(api_leave))) = api_enter_from(__func__, __builtin_return_address(0))
/* The call writes a result to *p for its caller, who may have given a place that is not his. */
#define RESULT_AT(p) tell_result((p), sizeof *(p))
void tell_result(void *p, size_t bytes);
#define RETURN(e) return call_.status = record_error(e)

#endif
