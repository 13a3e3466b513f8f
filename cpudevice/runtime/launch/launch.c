/* launch.c: launches kernels, by <<<...>>> and by cudaLaunchKernel. */
#define _GNU_SOURCE
#include <ctype.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "launch/launch.h"
#include "device/call.h"
#include "exec/cluster.h"
#include "stream/command.h"
#include "stream/host_wait.h"
#include "cpudev_must.h"
#include "cuda_runtime_api.h"
#include "device/device_state.h"
#include "device/devices.h"
#include "launch/kernel_info.h"
#include "device/last_error.h"
#include "device/message.h"
#include "observe/observers.h"
#include "launch/pending.h"
#include "device/process.h"
#include "stream/queue.h"
#include "stream/scheduler.h"
#include "device/sizes.h"
#include "stream/stream.h"
#include "stream/stream_record.h"
#include "exec/thread.h"

static __thread enum { LAUNCH, DESCRIBE, ARGUMENTS } enter_mode;

static __thread cpudev_kernel *described;

static __thread void **current_args;

static __thread const void *current_function;

static __thread const cpudev_parameter *current_parameters;

static __thread size_t current_count;

int cpudev_push_launch_at(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const char *file, int line)
{
    launch l = {grid, block, shared, stream, file, line, false, false, NULL, __builtin_return_address(0), {0, 0, 0}, 0};
    pending_push(&l);
    return 0;
}

/* Several host threads may launch a kernel for the first time. The name comes last: who sees it sees the rest. */
static void fill_record(cpudev_kernel *k, const char *name, const char *pretty, const char *file, int line,
                        unsigned max_threads)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!k->name) {
        k->pretty = pretty;
        k->file = file;
        k->line = line;
        k->max_threads = max_threads;
        __atomic_store_n(&k->name, name, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
}

int cpudev_enter(cpudev_kernel *k, const char *name, const char *pretty, const char *file, int line,
                 unsigned max_threads)
{
    if (__builtin_expect(!__atomic_load_n(&k->name, __ATOMIC_ACQUIRE), 0))
        fill_record(k, name, pretty, file, line, max_threads);
    if (enter_mode == DESCRIBE) {
        described = k;
        return 1;
    }
    if (enter_mode == ARGUMENTS) {
        enter_mode = LAUNCH;
        return 2;
    }
    if (!pending_any()) {
        message("%s:%d: kernel %s called like a function; a kernel needs <<<grid, block>>>", file, line, name);
        abort();
    }
    return 0;
}

void cpudev_current_args(void ***args, void (**function)(void), const cpudev_parameter *parameters, size_t count)
{
    current_parameters = parameters;
    current_count = count;
    *args = current_args;
    memcpy(function, &current_function, sizeof *function);
}

/* Of the launch that is about to be submitted. */
static __thread kept_arguments *kept;

int cpudev_keeps(void)
{
    const launch *l = pending_on_host();
    const struct CUstream_st *s = l ? stream_of(l->stream) : NULL;
    return s && s->capture;
}

void cpudev_keep(const void *function, const void *const *arguments, const cpudev_parameter *parameters, size_t count)
{
    size_t bytes = sizeof *kept + (count + 1) * sizeof(void *);
    for (size_t i = 0; i < count; i++)
        bytes = (bytes + parameters[i].align - 1) / parameters[i].align * parameters[i].align + parameters[i].size;
    free(kept);
    kept = must(aligned_alloc(256, (bytes + 255) / 256 * 256));
    *kept = (kept_arguments){1, function, count};
    size_t at = sizeof *kept + (count + 1) * sizeof(void *);
    for (size_t i = 0; i < count; i++) {
        at = (at + parameters[i].align - 1) / parameters[i].align * parameters[i].align;
        kept->arguments[i] = (char *)kept + at;
        memcpy(kept->arguments[i], arguments[i], parameters[i].size);
        at += parameters[i].size;
    }
}

/* Zeros in place of a kernel's parameters, for a call that only asks the kernel's function for its description. The
 * function may copy its parameters before it reads enter_mode, by aligned instructions; the widest move 64 bytes. */
typedef struct {
    _Alignas(64) char bytes[4096];
} no_parameters;

static void enter(const void *function)
{
    static const no_parameters none;
    void (*f)(no_parameters);
    memcpy(&f, &function, sizeof f);
    f(none);
}

cpudev_kernel *kernel_of_function(const void *function)
{
    if (!function)
        return NULL;
    described = NULL;
    enter_mode = DESCRIBE;
    enter(function);
    enter_mode = LAUNCH;
    return described;
}

const cpudev_parameter *kernel_parameters(const void *function, size_t *count)
{
    current_args = NULL;
    enter_mode = ARGUMENTS;
    enter(function);
    enter_mode = LAUNCH;
    *count = current_count;
    return current_parameters;
}

/* The blocks of a cluster; 0: the launch has none. */
static dim3 cluster_of(const launch *l, const cpudev_kernel *k)
{
    return l->cluster.x ? l->cluster : (dim3){k->cluster.x, k->cluster.y, k->cluster.z};
}

/* CUDA 13 says cudaErrorInvalidValue to every impossible shape; what tell_why() says is for the reader. */
static cudaError_t launch_error(const launch *l, const cpudev_kernel *k)
{
    unsigned long long threads = (unsigned long long)l->block.x * l->block.y * l->block.z;
    if (!l->grid.x || !l->grid.y || !l->grid.z || !l->block.x || !l->block.y || !l->block.z)
        return tell_why(CPUDEV_WHY_EMPTY, "a dimension of the grid or block is 0"), cudaErrorInvalidValue;
    if (l->block.x > 1024 || l->block.y > 1024 || l->block.z > 64 || threads > MAX_THREADS)
        return tell_why(CPUDEV_WHY_LARGE_BLOCK, "a block has at most 1024 threads (1024 x 1024 x 64)"),
               cudaErrorInvalidValue;
    if (l->grid.x > 2147483647u || l->grid.y > 65535 || l->grid.z > 65535)
        return tell_why(CPUDEV_WHY_LARGE_GRID, "a grid has at most 2147483647 x 65535 x 65535 blocks"),
               cudaErrorInvalidValue;
    if (k->max_threads && threads > k->max_threads)
        return tell_why(CPUDEV_WHY_LAUNCH_BOUNDS, "more threads than the kernel's __launch_bounds__ allow"),
               cudaErrorInvalidValue;
    if (k->static_shared > MAX_SHARED)
        return tell_why(CPUDEV_WHY_STATIC_SHARED,
                        "the kernel has more than 48 KB of __shared__ variables, which nvcc refuses"),
               cudaErrorInvalidValue;
    if (l->shared > kernel_most_shared(k))
        return tell_why(CPUDEV_WHY_DYNAMIC_SHARED,
                        "too much dynamic shared memory (48 KB per block, unless cudaFuncSetAttribute raises it)"),
               cudaErrorInvalidValue;
    const dim3 cluster = cluster_of(l, k);
    if (cluster.x && (volume(cluster) > kernel_most_cluster(k) || !volume(cluster)))
        return tell_why(
                   CPUDEV_WHY_LARGE_CLUSTER,
                   "a cluster has at most 8 blocks, or 16 if cudaFuncSetAttribute allows sizes that are not portable"),
               cudaErrorInvalidClusterSize;
    if (cluster.x && (l->grid.x % cluster.x || l->grid.y % cluster.y || l->grid.z % cluster.z))
        return tell_why(CPUDEV_WHY_PART_OF_CLUSTER, "the grid is not made of whole clusters"),
               cudaErrorInvalidClusterSize;
    unsigned long long blocks = (unsigned long long)l->grid.x * l->grid.y * l->grid.z;
    if (l->cooperative && blocks > (unsigned long long)kernel_resident_blocks(k, (unsigned)threads, l->shared) *
                                       (unsigned)multiprocessor_count())
        return tell_why(CPUDEV_WHY_COOPERATIVE, "a cooperative grid must fit on the device at once"),
               cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

/* CUDA_LAUNCH_BLOCKING=1: a launch returns when its kernel has ended. The checker is not told of the wait, since a program
 * must be right without it. */
static cudaError_t wait_if_blocking(struct CUstream_st *s)
{
    static int blocking; /* 0: not asked, 1: no, 2: yes */
    int is = __atomic_load_n(&blocking, __ATOMIC_RELAXED);
    if (!is) {
        const char *wish = getenv("CUDA_LAUNCH_BLOCKING");
        is = wish && atoi(wish) ? 2 : 1;
        __atomic_store_n(&blocking, is, __ATOMIC_RELAXED);
    }
    if (is == 1 || s->grid || s->capture)
        return cudaSuccess;
    pthread_mutex_lock(&scheduler.lock);
    help_until_completed(s, s->issued);
    pthread_mutex_unlock(&scheduler.lock);
    return sticky_error();
}

/* Does the kernel keep subnormal numbers with -ftz=true, by its name? An instance for double or bfloat16 does: the
 * compiler sees the template alone (compiler/analysis/flush.c). So do kernels of cucc's own headers. */
static bool has_doubles(const cpudev_kernel *k)
{
    for (const char *p = k->pretty; (p = strstr(p, "double")) != NULL; p += 6) {
        const bool begins = p == k->pretty || (!isalnum((unsigned char)p[-1]) && p[-1] != '_');
        if (begins && p[6] != '_' && !isalpha((unsigned char)p[6]))
            return true;
    }
    return strstr(k->pretty, "bfloat16") || !strncmp(k->name, "cpudev_", 7);
}

static bool keeps_subnormal(cpudev_kernel *k)
{
    int is = __atomic_load_n(&k->subnormal, __ATOMIC_RELAXED);
    if (!is) {
        is = has_doubles(k) ? 2 : 1;
        __atomic_store_n(&k->subnormal, is, __ATOMIC_RELAXED);
    }
    return is == 2;
}

void cpudev_submit(cpudev_kernel *k, const void *closure, const cpudev_work *work)
{
    launch l = pending_pop();
    api_call call_ __attribute__((cleanup(api_leave))) = {0};
    if (!l.told)
        call_ = api_enter_from("cudaLaunchKernel", l.caller);
    cudaError_t e = device_ready();
    struct CUstream_st *s = NULL;
    if (!e && !(s = stream_of(l.stream)))
        e = cudaErrorInvalidResourceHandle;
    if (!e && !s->grid && s->device != current_device()) {
        e = cudaErrorInvalidResourceHandle;
        tell_why(CPUDEV_WHY_OTHER_DEVICE, "the stream belongs to a device other than the current one");
    }
    if (!e)
        e = launch_error(&l, k);
    if (!e && s->grid && s->grid->family.generation == MAX_DEPTH)
        e = cudaErrorLaunchMaxDepthExceeded;
    if (e && !call_.nested && !l.result) /* else it is the call's own value */
        TELL(launch_failed, kernel_display(k), (int)e);
    if (!e) {
        command *c = command_new(C_KERNEL);
        c->kernel = k;
        c->work = work;
        c->kept = kept;
        kept = NULL;
        c->grid = l.grid;
        c->block = l.block;
        c->shared = l.shared;
        c->cooperative = l.cooperative;
        c->flush = work->flush && !keeps_subnormal(k);
        c->file = l.file;
        c->line = l.line;
        c->cluster = cluster_of(&l, k);
        c->units = (unsigned long long)l.grid.x * l.grid.y * l.grid.z / (c->cluster.x ? volume(c->cluster) : 1);
        c->closure =
            work->size <= sizeof c->inline_closure && work->align <= 16 ? c->inline_closure : closure_room(work);
        memcpy(c->closure, closure, work->size);
        __atomic_store_n(&k->tag, work->tag, __ATOMIC_RELAXED); /* each launch has the same */
        e = command_queue(c, s);
        e = e ? e : wait_if_blocking(s);
    }
    if (l.result)
        *l.result = e;
    call_.status = record_error(e);
}

cudaError_t launch_with_args(const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream,
                             bool cooperative, dim3 cluster)
{
    static void *none[1];
    if (!func)
        return cudaErrorInvalidDeviceFunction;
    cudaError_t e = device_ready(), result = cudaSuccess;
    if (e)
        return e;
    launch l = {grid, block, shared, stream, "", 0, cooperative, true, &result, NULL, cluster, 0};
    pending_push(&l);
    current_args = args ? args : none;
    current_function = func;
    enter_mode = ARGUMENTS;
    enter(func);
    return result;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    API;
    RETURN(launch_with_args(func, grid, block, args, shared, stream, false, (dim3){0, 0, 0}));
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream)
{
    API;
    RETURN(launch_with_args(func, grid, block, args, shared, stream, true, (dim3){0, 0, 0}));
}

/* An event of an attribute comes true with the kernel's end: CUDA promises no earlier moment. A preferred cluster is a
 * wish that a GPU may leave, too. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    API;
    if (!config || (config->numAttrs && !config->attrs))
        RETURN(cudaErrorInvalidValue);
    bool cooperative = false;
    dim3 cluster = {0, 0, 0};
    cudaEvent_t programmatic = NULL, begun = NULL;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttributeValue *v = &config->attrs[i].val;
        switch (config->attrs[i].id) {
        case cudaLaunchAttributeCooperative: cooperative = v->cooperative; break;
        case cudaLaunchAttributeClusterDimension:
            cluster = (dim3){v->clusterDim.x, v->clusterDim.y, v->clusterDim.z};
            break;
        case cudaLaunchAttributeProgrammaticEvent: programmatic = v->programmaticEvent.event; break;
        case cudaLaunchAttributeLaunchCompletionEvent: begun = v->launchCompletionEvent.event; break;
        case cudaLaunchAttributeDeviceUpdatableKernelNode: RETURN(cudaErrorNotSupported);
        default: break; /* how it is scheduled and cached */
        }
    }
    cudaError_t e = launch_with_args(func, config->gridDim, config->blockDim, args, config->dynamicSmemBytes,
                                     config->stream, cooperative, cluster);
    if (!e && programmatic)
        e = cudaEventRecord(programmatic, config->stream);
    if (!e && begun)
        e = cudaEventRecord(begun, config->stream);
    RETURN(e);
}
