/* cuprof_inject.c: what cuprof puts into the profiled program. CUDA's driver (through
 * CUDA_INJECTION64_PATH) or the CPU device (through CUDA_CPU_INJECTION) loads this library and
 * calls InitializeInjection() once. It writes events to a log in $CUPROF_LOGS as they happen;
 * the reports are cuprof's. It prints nothing.
 *
 * Built once per device, -DLAB_CUDA or -DLAB_CPU, with -DPROFILER_INJECTION. */
#include "profiler/profiler_core.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef LAB_CUDA
static const prof_backend *backend = &prof_backend_cupti;
#else
static const prof_backend *backend = &prof_backend_cpu;
#endif

enum { CPU_AND_CUDA = 3, FLUSH_MS = 200, CRASH_WAIT_MS = 2000 };

static int wake[2]; /* a byte: a signal wants everything flushed now */
static atomic_int attached, flushed, finished;
static pid_t owner;

static void finish(void)
{
    if (getpid() != owner || atomic_exchange(&finished, 1))
        return;
    if (attached) {
        prof_file_header *h = prof_store_header();
        if (h)
            backend->describe(h->device, sizeof h->device);
        backend->disable(CPU_AND_CUDA);
    }
    prof_source_free(prof_store_close());
}

/* Brings records from the tracer's buffers into the log now and then, and when a signal asks. */
static void *flusher(void *arg)
{
    (void)arg;
    for (;;) {
        struct pollfd p = {wake[0], POLLIN, 0};
        int asked = poll(&p, 1, FLUSH_MS) == 1;
        if (atomic_load(&finished))
            return NULL;
        if (!asked) {
            backend->flush(0);
            continue;
        }
        backend->disable(CPU_AND_CUDA);
        atomic_store(&flushed, 1);
        return NULL;
    }
}

/* The program dies of this signal, as it would have without us, after its records are safe. */
static void on_signal(int number)
{
    int saved = errno;
    if (getpid() == owner && write(wake[1], "x", 1) == 1)
        for (int i = 0; i < CRASH_WAIT_MS / 10 && !atomic_load(&flushed); i++) {
            struct timespec t = {0, 10000000};
            nanosleep(&t, NULL);
        }
    errno = saved;
    signal(number, SIG_DFL);
    raise(number);
}

/* Only where the program has not its own idea of the signal. */
static void watch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old, ours = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
        sigemptyset(&ours.sa_mask);
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &ours, NULL);
    }
}

__attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void)
{
    const char *logs = getenv("CUPROF_LOGS");
    char path[512];
    if (!logs || !*logs || owner)
        return 1;
    owner = getpid();
    for (int i = 0; i < 1000; i++) { /* one process may run several programs in a row by exec */
        snprintf(path, sizeof path, "%s/%ld.%d.log", logs, (long)owner, i);
        if (access(path, F_OK))
            break;
    }
    if (prof_store_open(path, 0))
        return 1;
    prof_file_header *h = prof_store_header();
    snprintf(h->backend, sizeof h->backend, "%s", backend->name);
    if (backend->open(h->message, sizeof h->message))
        return 1;
    if (backend->enable(CPU_AND_CUDA, h->message, sizeof h->message)) {
        backend->close();
        return 1;
    }
    attached = 1;
    atexit(finish);
#ifdef LAB_CUDA
    pthread_t thread; /* only CUPTI holds records back */
    if (!pipe2(wake, O_CLOEXEC | O_NONBLOCK)) {
        sigset_t all, old;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &old); /* the program's signals are for its own threads */
        if (!pthread_create(&thread, NULL, flusher, NULL)) {
            pthread_detach(thread);
            watch_signals();
        }
        pthread_sigmask(SIG_SETMASK, &old, NULL);
    }
#else
    backend->describe(h->device, sizeof h->device);
    (void)flusher;
    (void)watch_signals;
#endif
    return 1; /* what the driver expects of a tool */
}
