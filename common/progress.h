/* progress.h: one line that says how far a long job is, on stderr, and only if that is a terminal. */
#ifndef PROGRESS_H
#define PROGRESS_H

#ifdef __cplusplus
extern "C" {
#endif

/* "what: done/total" over the line before; silent off a terminal. With done == total the line is wiped. At most ten
 * updates a second reach the terminal. */
void progress(const char *what, long done, long total);

#ifdef __cplusplus
}
#endif
#endif
