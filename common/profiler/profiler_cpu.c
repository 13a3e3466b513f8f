/* profiler_cpu.c: the profiler's back end for the CPU device, whose hooks report every API
 * call, kernel, copy and fill once it has ended. */
#include "profiler_core.h"

#if !defined(LAB_CUDA)

#include <dlfcn.h>
#include <string.h>

#if __has_include(<cpudevice.h>)
#include <cpudevice.h>
#include <cuda_runtime_api.h>
#define HAVE_CPU_DEVICE 1
#endif

enum { CPU = 1, CUDA = 2 }; /* profiler.h's PROFILER_CPU and PROFILER_CUDA */

#if HAVE_CPU_DEVICE

/* In an injection library these are the profiled program's; in a lab, the linked runtime's. */
static int (*subscribe)(void (*)(void *, const cpudev_event *), void *, cpudev_event_clock *);
static void (*unsubscribe)(void);
static cudaError_t (*synchronize_device)(void);

static atomic_uint wanted;
static __thread int quiet; /* our own calls are not the program's */

static void on_event(void *user, const cpudev_event *e)
{
    (void)user;
    unsigned w = atomic_load_explicit(&wanted, memory_order_relaxed);
    if (e->kind == CPUDEV_EVENT_API ? !(w & CPU) || quiet : !(w & CUDA))
        return;
    static const uint8_t copy_kinds[] = {PROF_HTOH, PROF_HTOD, PROF_DTOH, PROF_DTOD}; /* cudaMemcpyKind's order */
    static const uint8_t kinds[] = {
        [CPUDEV_EVENT_API] = PROF_API,
        [CPUDEV_EVENT_KERNEL] = PROF_KERNEL,
        [CPUDEV_EVENT_MEMCPY] = PROF_MEMCPY,
        [CPUDEV_EVENT_MEMSET] = PROF_MEMSET,
    };
    const char *name = e->name;
    int kind = kinds[e->kind], copy = kind == PROF_MEMCPY || kind == PROF_MEMSET, copy_kind = 0;
    if (copy) {
        copy_kind = e->copy_kind >= 0 && e->copy_kind < 4 ? copy_kinds[e->copy_kind] : PROF_COPY_OTHER;
        name = prof_copy_name(kind, copy_kind);
    }
    uint32_t id = prof_name_of_literal(name);
    prof_event *p = prof_reserve();
    if (!p)
        return;
    p->start_ns = e->start; /* readings of the clock */
    p->end_ns = e->end;
    p->name = id;
    p->correlation = e->correlation;
    p->thread = kind == PROF_API ? e->thread : 0;
    p->stream = e->stream;
    p->kind = (uint8_t)kind;
    p->copy_kind = (uint8_t)copy_kind;
    p->device = (uint8_t)e->device;
    p->failed = e->status != 0;
    p->registers = (uint16_t)e->registers;
    for (int i = 0; i < 3; i++)
        p->block[i] = (uint16_t)e->block[i];
    p->static_smem = e->static_smem;
    p->dynamic_smem = e->dynamic_smem;
    if (copy) {
        p->bytes = e->bytes;
    } else {
        p->grid_x = e->grid[0];
        p->grid_y = (uint16_t)e->grid[1];
        p->grid_z = (uint16_t)e->grid[2];
    }
    prof_commit(p);
}

static int cpu_open(char *message, size_t size)
{
#ifdef PROFILER_INJECTION
    *(void **)&subscribe = dlsym(RTLD_DEFAULT, "cpudev_subscribe");
    *(void **)&unsubscribe = dlsym(RTLD_DEFAULT, "cpudev_unsubscribe");
    *(void **)&synchronize_device = dlsym(RTLD_DEFAULT, "cudaDeviceSynchronize");
    if (!subscribe || !unsubscribe) {
        snprintf(message, size, "this program's CPU device has no hooks for a profiler");
        return -1;
    }
#else
    subscribe = cpudev_subscribe;
    unsubscribe = cpudev_unsubscribe;
    synchronize_device = cudaDeviceSynchronize;
#endif
    atomic_store(&wanted, 0);
    cpudev_event_clock c = {0};
    if (subscribe(on_event, NULL, &c)) {
        snprintf(message, size, "another profiler is attached to the CPU device");
        return -1;
    }
    if (!c.now) {
        unsubscribe();
        snprintf(message, size, "this program was built by another version of cucc: build it again");
        return -1;
    }
    prof_set_clock((prof_clock){c.now, c.ticks, c.ns, c.rate});
    return 0;
}

static void cpu_close(void)
{
    unsubscribe();
    prof_set_clock((prof_clock){0});
}

static int cpu_enable(unsigned activities, char *message, size_t size)
{
    (void)message, (void)size;
    atomic_fetch_or(&wanted, activities);
    return 0;
}

static void cpu_disable(unsigned activities) { atomic_fetch_and(&wanted, ~activities); }

static void cpu_synchronize(void)
{
    quiet++;
    if (synchronize_device)
        synchronize_device();
    quiet--;
}

#else

static int cpu_open(char *message, size_t size)
{
    snprintf(message, size, "built without the CPU device and without CUDA");
    return -1;
}
static void cpu_close(void) {}
static int cpu_enable(unsigned activities, char *message, size_t size)
{
    (void)activities, (void)message, (void)size;
    return 0;
}
static void cpu_disable(unsigned activities) { (void)activities; }
static void cpu_synchronize(void) {}

#endif

static void cpu_flush(int all) { (void)all; }

static void cpu_describe(char *device, size_t size)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];
    device[0] = 0;
    while (f && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        colon[strcspn(colon, "\n")] = 0;
        snprintf(device, size, "%s", colon + 2);
        break;
    }
    if (f)
        fclose(f);
}

const prof_backend prof_backend_cpu = {.name = "CPU device",
                                       .open = cpu_open,
                                       .close = cpu_close,
                                       .enable = cpu_enable,
                                       .disable = cpu_disable,
                                       .flush = cpu_flush,
                                       .synchronize = cpu_synchronize,
                                       .describe = cpu_describe};

void prof_nvtx_push(const char *name) { (void)name; }
void prof_nvtx_pop(void) {}

#endif
