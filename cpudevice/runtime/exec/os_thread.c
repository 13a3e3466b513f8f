/* os_thread.c: OS threads that run blocks. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "exec/os_thread.h"
#include "exec/flush.h"
#include "device/message.h"

bool start_os_thread(void *(*main)(void *), void *argument)
{
    pthread_t t;
    pthread_attr_t a;
    sigset_t mask, before;
    sigfillset(&mask);
    sigdelset(&mask, SIGSEGV);
    sigdelset(&mask, SIGBUS);
    sigdelset(&mask, SIGFPE);
    sigdelset(&mask, SIGILL);
    sigdelset(&mask, SIGURG);
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &mask, &before); /* the new thread inherits it */
    const uintptr_t control = set_flush(false);   /* this too: a block may have asked for the thread */
    int e = EINVAL;
    /* a thread's static shared arrays lie on its stack's end: big ones need a bigger stack */
    for (size_t size = 8u << 20; e == EINVAL && size <= (size_t)1 << 32; size *= 2) {
        pthread_attr_setstacksize(&a, size);
        e = pthread_create(&t, &a, main, argument);
    }
    set_float_control(control);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&a);
    if (e != 0) {
        errno = e;
        refused("the system refuses more threads");
        return false;
    }
    pthread_setname_np(t, "cpudevice");
    return true;
}
