/* os_thread.h: OS threads that run blocks. */
#ifndef OS_THREAD_H
#define OS_THREAD_H

#include <stdbool.h>

/* Starts one that lets the signals through by which blocks are watched. Nobody waits for its end. */
bool start_os_thread(void *(*main)(void *), void *argument);

#endif
