/* process.c: the runtime starts and ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/process.h"
#include "device/call.h"
#include "graph/capture.h"
#include "device/clock.h"
#include "cuda_runtime_api.h"
#include "device/device_state.h"
#include "device/devices.h"
#include "exec/fault.h"
#include "graph/graph_memory.h"
#include "stream/host_wait.h"
#include "memory/memory.h"
#include "memory/owner.h"
#include "device/message.h"
#include "exec/order.h"
#include "observe/observers.h"
#include "stream/scheduler.h"
#include "device/sizes.h"
#include "stream/stream_record.h"
#include "stream/units.h"

static pid_t home_process;

static atomic_bool started; /* all of start() has been done */

static bool start_failed; /* in a child process, which has one thread when it is set */

static __thread bool starting; /* this thread is in start(), where a profiler's own start may call CUDA */

static void at_exit(void)
{
    if (getpid() != home_process)
        return;
    if (observed.waits_at_exit)
        wait_for_all_work(); /* the program itself has not waited: observers see no wait */
    pthread_mutex_lock(&scheduler.lock);
    scheduler.exiting = true;
    pthread_mutex_unlock(&scheduler.lock);
}

static void start(void)
{
    starting = true;
    home_process = getpid();
    devices_init();
    order_init();
    cpu_set_t set;
    CPU_ZERO(&set);
    int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    const char *wish = getenv("CUDA_CPU_WORKERS");
    if (wish && atoi(wish) > 0)
        processors = atoi(wish);
    if (processors > MAX_OS_THREADS / 2)
        processors = MAX_OS_THREADS / 2;
    set_processor_count(processors);
    const char *multiprocessors = getenv("CUDA_CPU_MULTIPROCESSORS");
    if (multiprocessors && atoi(multiprocessors) > 0 && atoi(multiprocessors) <= 4096)
        set_multiprocessor_count(atoi(multiprocessors));
    scheduler.base_workers = processors > 1 ? processors - 1 : 1;
    if (device_count() > 1) /* the host's threads run no kernels then, and each device has a worker */
        scheduler.base_workers = processors > device_count() ? processors : device_count();
    find_clock();
    memory_init();
    install_fault_handler();
    arm_alternate_stack();
    default_streams_make(device_count());
    atexit(at_exit);
    const char *injection = getenv("CUDA_CPU_INJECTION");
    if (injection && *injection) {
        void *so = dlopen(injection, RTLD_NOW | RTLD_GLOBAL);
        int (*init)(void) = so ? (int (*)(void))dlsym(so, "InitializeInjection") : NULL;
        if (!init)
            message("CUDA_CPU_INJECTION=%s: %s", injection, dlerror());
        else
            init();
    }
    starting = false;
    atomic_store_explicit(&started, true, memory_order_release);
}

cudaError_t device_ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (__builtin_expect(!atomic_load_explicit(&started, memory_order_acquire), 0) && !starting)
        pthread_once(&once, start);
    if (__builtin_expect(start_failed, 0))
        return cudaErrorInitializationError;
    if (__builtin_expect(in_host_function(), 0)) /* a host function may not call CUDA */
        return cudaErrorNotPermitted;
    return sticky_error();
}

cudaError_t device_ok(int device)
{
    cudaError_t e = device_ready();
    return e ? e : device_exists(device) ? cudaSuccess : cudaErrorInvalidDevice;
}

void start_for_injection(void)
{
    const char *injection = getenv("CUDA_CPU_INJECTION");
    if (injection && *injection)
        device_ready();
}

static void child_after_fork(void)
{
    if (started || starting)
        start_failed = true; /* as with CUDA: a child cannot use what its parent has initialised */
}

/* Before the program's own constructors, which may call CUDA. */
__attribute__((constructor(101))) static void before_main(void) { pthread_atfork(NULL, NULL, child_after_fork); }

cudaError_t cudaDeviceSynchronize(void)
{
    API;
    cudaError_t e = device_ready();
    if (e)
        RETURN(e);
    if ((e = capture_forbids(false)))
        RETURN(e);
    RETURN(device_count() > 1 ? wait_for_device(current_device()) : wait_for_everything());
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
    if (device_count() > 1) {
        (void)wait_for_device(current_device());
        for (void *p; (p = memory_owned_by(current_device()));)
            if (memory_free(p, region_of(p)))
                memory_disowned(p);
    } else {
        (void)wait_for_all_work();
        graph_memory_forget();
        memory_reset();
    }
    forget_peer_access(current_device());
    clear_sticky();
    RETURN(cudaSuccess);
}

cudaError_t cudaThreadExit(void)
{
    API;
    return call_.status = cudaDeviceReset();
}
