/* errors.h: runtime calls that fail, failures that nobody looks at, handles that are lost. */
#ifndef CHECKER_ERRORS_H
#define CHECKER_ERRORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "report/findings.h"
#include "observe/observer.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, NOT_READY = 600 };

extern const char *cudaGetErrorName(int) __attribute__((weak));
extern const char *cudaGetErrorString(int) __attribute__((weak));
void check_unseen_error(void);
void check_unawaited(void); // at the end: a kernel was launched and never waited for

// A stream or event is about to be put into the variable at `place`; or is destroyed.
void check_handle_made(const char *what, const void *handle, void *place);
void check_handle_gone(const void *gone);
void check_lost_handles(void);
void check_explained(void); // the runtime call under way fails for a reason that a finding has given
void check_call_end(int status, const cpudev_event *e);
void check_error_seen(int status);
void check_launch_failed(const char *kernel, int status);

#endif
