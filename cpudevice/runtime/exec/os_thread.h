/* os_thread.h: OS threads that run blocks. */
#ifndef OS_THREAD_H
#define OS_THREAD_H

#include <stdbool.h>
#include <stddef.h>

/* How large the stack of a thread must be that needs `bytes` itself: the C library puts the thread-local variables, among
 * them the static shared arrays of all kernels, on its end. */
size_t stack_size(size_t bytes);
/* Starts one that lets the signals through by which blocks are watched. Nobody waits for its end. */
bool start_os_thread(void *(*main)(void *), void *argument);

#endif
