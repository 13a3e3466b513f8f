/* process.c: the runtime starts and ends, and fails for good. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include "runtime.h"
#include "tell.h"

static _Atomic int sticky;

static pid_t home_process;

int processor_count(void) { return scheduler.processors; }

cudaError_t sticky_error(void) { return (cudaError_t)atomic_load_explicit(&sticky, memory_order_relaxed); }

void set_sticky(cudaError_t e)
{
    int none = 0;
    if (e)
        atomic_compare_exchange_strong(&sticky, &none, (int)e);
}

static void at_exit(void)
{
    if (getpid() != home_process)
        return;
    if (observed.waits_at_exit)
        wait_for_everything();
    pthread_mutex_lock(&scheduler.lock);
    scheduler.exiting = true;
    pthread_mutex_unlock(&scheduler.lock);
}

static void start(void)
{
    home_process = getpid();
    cpu_set_t set;
    CPU_ZERO(&set);
    scheduler.processors =
        sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    const char *wish = getenv("CUDA_CPU_WORKERS");
    if (wish && atoi(wish) > 0)
        scheduler.processors = atoi(wish);
    if (scheduler.processors > MAX_OS_THREADS / 2)
        scheduler.processors = MAX_OS_THREADS / 2;
    scheduler.base_workers = scheduler.processors > 1 ? scheduler.processors - 1 : 1;
    find_clock();
    memory_init();
    install_fault_handler();
    arm_alternate_stack();
    default_stream.magic = STREAM_MAGIC;
    default_stream.legacy = true;
    atexit(at_exit);
    scheduler.started = true;
    const char *injection = getenv("CUDA_CPU_INJECTION");
    if (injection && *injection) {
        void *so = dlopen(injection, RTLD_NOW | RTLD_GLOBAL);
        int (*init)(void) = so ? (int (*)(void))dlsym(so, "InitializeInjection") : NULL;
        if (!init)
            message("CUDA_CPU_INJECTION=%s: %s", injection, dlerror());
        else
            init();
    }
}

cudaError_t device_ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (__builtin_expect(!scheduler.started, 0))
        pthread_once(&once, start);
    if (__builtin_expect(scheduler.start_failed, 0))
        return cudaErrorInitializationError;
    if (__builtin_expect(in_host_function(), 0)) /* a host function may not call CUDA */
        return cudaErrorNotPermitted;
    return sticky_error();
}

void start_for_injection(void)
{
    const char *injection = getenv("CUDA_CPU_INJECTION");
    if (injection && *injection)
        device_ready();
}

static void child_after_fork(void)
{
    if (scheduler.started)
        scheduler.start_failed = true; /* as with CUDA: a child cannot use what its parent has initialised */
}

__attribute__((constructor)) static void watch_fork(void) { pthread_atfork(NULL, NULL, child_after_fork); }

cudaError_t cudaDeviceSynchronize(void)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if ((e = capture_forbids(false)))
        RETURN(e);
    RETURN(wait_for_everything());
}

cudaError_t cudaThreadSynchronize(void)
{
    API;
    return call_.status = cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void)
{
    API;
    device_ready();
    (void)wait_for_all_work();
    memory_reset();
    atomic_store(&sticky, 0);
    RETURN(cudaSuccess);
}

cudaError_t cudaThreadExit(void)
{
    API;
    return call_.status = cudaDeviceReset();
}
