/* skip.h: work that cannot be done here says so, and why; the caller asks after each run. */
#ifndef SKIP_H
#define SKIP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called from a lab's run(), or from what it calls: this rung cannot run here, and why. */
void lab_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Takes the reason that was given since the last call: 1, and it is in `why`; or 0 if nothing was skipped. */
int lab_skipped(char *why, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
