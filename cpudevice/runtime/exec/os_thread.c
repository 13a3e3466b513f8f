/* os_thread.c: OS threads that run blocks. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>

#include "exec/os_thread.h"
#include "exec/flush.h"
#include "device/message.h"

static int add_thread_locals(struct dl_phdr_info *object, size_t size, void *sum)
{
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_TLS)
            *(size_t *)sum += object->dlpi_phdr[i].p_memsz + object->dlpi_phdr[i].p_align;
    return 0;
}

size_t stack_size(size_t bytes)
{
    dl_iterate_phdr(add_thread_locals, &bytes);
    return (bytes + 65535) & ~(size_t)65535;
}

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
    for (size_t size = stack_size(8u << 20); e == EINVAL && size <= (size_t)1 << 32; size *= 2) {
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
