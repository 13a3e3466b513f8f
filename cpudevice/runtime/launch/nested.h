/* nested.h: runtime calls by threads of kernels, and their heap.
 *
 * As CUDA 12 and 13 have it: a kernel cannot wait for those that it launches; a launch is over when its kernel's blocks
 * are, and all that they launched, and after that what they put on cudaStreamTailLaunch (queue.c and scheduler.c keep
 * that order). */
#ifndef NESTED_H
#define NESTED_H

#include "exec/thread.h"

/* A thread that calls what no kernel may call is ended with its kernel. */
void nested_enter(const char *name, const void *caller);
void nested_leave(int status);
cudaError_t *nested_error(void);      /* the thread's last error */
void nested_used(cpudev_worker *w);   /* something is kept for the threads of the running block */
void nested_forget(cpudev_worker *w); /* all of that. Called by way of hooks.h */
cudaError_t nested_malloc(void **p, size_t bytes);
cudaError_t nested_free(void *p);

#endif
