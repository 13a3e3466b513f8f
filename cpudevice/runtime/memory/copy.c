/* copy.c: copies and memsets. */
#define _GNU_SOURCE
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "memory/copy.h"
#include "texture/array_layout.h"
#include "device/call.h"
#include "stream/command.h"
#include "memory/copy_units.h"
#include "cuda_runtime_api.h"
#include "device/devices.h"
#include "stream/host_wait.h"
#include "memory/memory.h"
#include "observe/observer.h"
#include "observe/observers.h"
#include "device/process.h"
#include "stream/queue.h"
#include "stream/stream.h"
#include "stream/stream_record.h"

typedef struct {
    uintptr_t address;
    bool global;
} probe;

static int in_globals(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    probe *p = data;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            if (p->address >= start && p->address < start + info->dlpi_phdr[i].p_memsz)
                p->global = true;
        }
    return p->global;
}

bool is_global(const void *p)
{
    probe q = {(uintptr_t)p, false};
    dl_iterate_phdr(in_globals, &q);
    return q.global;
}

/* May `bytes` from p be the device (or host) side of a copy? What is called the host's may be the device's all the same, as
 * on an H200: there is one address space, and only pageable memory cannot be the device's. */
static bool side_ok(const void *p, size_t bytes, bool device)
{
    if (!p)
        return false;
    region_kind k = region_of(p);
    allocation a;
    if (k != R_NONE || device) {
        bool known = allocation_of(p, &a);
        if (known && (uintptr_t)p + bytes > a.start + a.size)
            return false;
        if (!known && k != R_NONE)
            return false;
        if (device && !known)
            return is_global(p);
    }
    return true;
}

static cudaError_t check_sides(const void *dst, size_t dbytes, const void *src, size_t sbytes, enum cudaMemcpyKind kind)
{
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (kind == cudaMemcpyDefault)
        return side_ok(dst, dbytes, region_of(dst) == R_DEVICE) && side_ok(src, sbytes, region_of(src) == R_DEVICE)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    bool to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return side_ok(dst, dbytes, to) && side_ok(src, sbytes, from) ? cudaSuccess : cudaErrorInvalidValue;
}

static bool pageable(const void *p)
{
    allocation a;
    return !allocation_of(p, &a) && !is_global(p);
}

/* The direction of a copy by where the two pointers lie. It is asked for with cudaMemcpyDefault, and where the caller calls
 * device memory the host's. */
static enum cudaMemcpyKind kind_between(const void *dst, const void *src, enum cudaMemcpyKind kind)
{
    bool to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind != cudaMemcpyDefault && (to || region_of(dst) != R_DEVICE) && (from || region_of(src) != R_DEVICE))
        return kind;
    if (region_of(dst) == R_DEVICE)
        return region_of(src) == R_DEVICE ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
    return region_of(src) == R_DEVICE ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

/* Prepares a copy of one row: in pieces for several workers, or in one piece where source and destination overlap. */
static void cut_row(command *c)
{
    if (c->copy.src >= c->copy.dst + c->copy.width || c->copy.dst >= c->copy.src + c->copy.width)
        c->units = (c->copy.width + PIECE - 1) / PIECE;
    else if (c->copy.width > PIECE) {
        c->copy.depth = 2; /* run_copy_units() takes it as rows of the whole width, and does the one row twice */
        c->copy.dslice = c->copy.sslice = 0;
    }
}

static cudaError_t may_copy(const cpudev_op_desc *d)
{
    const cpudev_observer *o = ASK(copy_args);
    return o ? (cudaError_t)o->copy_args(d) : cudaSuccess;
}

/* The stream to put a copy or set on; NULL if there are no bytes (`any`) to copy. */
static cudaError_t stream_for(cudaStream_t stream, bool any, struct CUstream_st **s)
{
    cudaError_t e = device_ready();
    if (e)
        return e;
    *s = stream_of(stream);
    if (!*s)
        return cudaErrorInvalidResourceHandle;
    if (!any)
        *s = NULL;
    return cudaSuccess;
}

cudaError_t memory_copy(void *dst, size_t dpitch, size_t dslice, const void *src, size_t spitch, size_t sslice,
                        size_t width, size_t height, size_t depth, enum cudaMemcpyKind kind, cudaStream_t stream,
                        bool async)
{
    struct CUstream_st *s;
    cudaError_t e = stream_for(stream, width && height && depth, &s);
    if (e || !s)
        return e;
    if (height > 1 && (width > dpitch || width > spitch))
        return cudaErrorInvalidPitchValue;
    const cpudev_op_desc d = {.kind = CPUDEV_OP_COPY,
                              .dst = dst,
                              .src = src,
                              .bytes = width,
                              .rows = height,
                              .slices = depth,
                              .dpitch = dpitch,
                              .spitch = spitch,
                              .dslice = dslice,
                              .sslice = sslice,
                              .copy_kind = (int)kind};
    if ((e = may_copy(&d)))
        return e;
    if (!s->grid && (e = check_sides(dst, (depth - 1) * dslice + (height - 1) * dpitch + width, src,
                                     (depth - 1) * sslice + (height - 1) * spitch + width, kind)))
        return e;
    command *c = command_new(C_COPY);
    c->copy.dst = dst;
    c->copy.src = src;
    c->copy.dpitch = dpitch;
    c->copy.spitch = spitch;
    c->copy.dslice = dslice;
    c->copy.sslice = sslice;
    c->copy.width = width;
    c->copy.height = height;
    c->copy.depth = depth;
    c->copy.kind = kind_between(dst, src, kind);
    if (height == 1 && depth == 1)
        cut_row(c);
    bool wait = !s->capture && !s->grid && (!async || pageable(dst) || pageable(src));
    e = command_queue(c, s);
    return e || !wait ? e : stream_wait_all(s);
}

static cudaError_t set(void *dst, size_t pitch, size_t slice, int value, size_t width, size_t height, size_t depth,
                       cudaStream_t stream)
{
    struct CUstream_st *s;
    cudaError_t e = stream_for(stream, width && height && depth, &s);
    if (e || !s)
        return e;
    if (height > 1 && width > pitch)
        return cudaErrorInvalidPitchValue;
    const cpudev_op_desc d = {.kind = CPUDEV_OP_SET,
                              .dst = dst,
                              .bytes = width,
                              .rows = height,
                              .slices = depth,
                              .dpitch = pitch,
                              .dslice = slice};
    if ((e = may_copy(&d)))
        return e;
    TELL(set_value, value);
    if (!s->grid && !side_ok(dst, (depth - 1) * slice + (height - 1) * pitch + width, true))
        return cudaErrorInvalidValue;
    command *c = command_new(C_SET);
    c->copy.dst = dst;
    c->copy.dpitch = pitch;
    c->copy.dslice = slice;
    c->copy.width = width;
    c->copy.height = height;
    c->copy.depth = depth;
    c->copy.value = value;
    if (height == 1 && depth == 1)
        c->units = (width + PIECE - 1) / PIECE;
    return command_queue(c, s);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    API;
    RETURN(memory_copy(dst, 0, 0, src, 0, 0, count, 1, 1, kind, 0, false));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API;
    RETURN(memory_copy(dst, 0, 0, src, 0, 0, count, 1, 1, kind, stream, true));
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
    API;
    if (!device_exists(dstDevice) || !device_exists(srcDevice))
        RETURN(cudaErrorInvalidDevice);
    RETURN(memory_copy(dst, 0, 0, src, 0, 0, count, 1, 1, cudaMemcpyDeviceToDevice, 0, false));
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                cudaStream_t stream)
{
    API;
    if (!device_exists(dstDevice) || !device_exists(srcDevice))
        RETURN(cudaErrorInvalidDevice);
    RETURN(memory_copy(dst, 0, 0, src, 0, 0, count, 1, 1, cudaMemcpyDeviceToDevice, stream, true));
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    API;
    if (width > dpitch || width > spitch)
        RETURN(cudaErrorInvalidPitchValue);
    RETURN(memory_copy(dst, dpitch, 0, src, spitch, 0, width, height, 1, kind, 0, false));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    API;
    if (width > dpitch || width > spitch)
        RETURN(cudaErrorInvalidPitchValue);
    RETURN(memory_copy(dst, dpitch, 0, src, spitch, 0, width, height, 1, kind, stream, true));
}

static cudaError_t copy3d(const struct cudaMemcpy3DParms *p, cudaStream_t stream, bool async)
{
    if (!p)
        return cudaErrorInvalidValue;
    size_t dpitch = p->dstPtr.pitch, spitch = p->srcPtr.pitch, ds = dpitch * p->dstPtr.ysize,
           ss = spitch * p->srcPtr.ysize;
    char *d = (char *)p->dstPtr.ptr + p->dstPos.z * ds + p->dstPos.y * dpitch + p->dstPos.x;
    char *s = (char *)p->srcPtr.ptr + p->srcPos.z * ss + p->srcPos.y * spitch + p->srcPos.x;
    size_t width = p->extent.width, texel = 1;
    if (p->srcArray)
        array_place(p->srcArray, p->srcPos, &s, &spitch, &ss, &texel);
    if (p->dstArray)
        array_place(p->dstArray, p->dstPos, &d, &dpitch, &ds, &texel);
    width *= texel; /* with an array, it counts in elements */
    return memory_copy(d, dpitch, ds, s, spitch, ss, width, p->extent.height, p->extent.depth, p->kind, stream, async);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    API;
    RETURN(copy3d(p, 0, false));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    API;
    RETURN(copy3d(p, stream, true));
}

cudaError_t cudaMemset(void *ptr, int value, size_t count)
{
    API;
    RETURN(set(ptr, 0, 0, value, count, 1, 1, 0));
}

cudaError_t cudaMemsetAsync(void *ptr, int value, size_t count, cudaStream_t stream)
{
    API;
    RETURN(set(ptr, 0, 0, value, count, 1, 1, stream));
}

cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height)
{
    API;
    RETURN(set(ptr, pitch, 0, value, width, height, 1, 0));
}

cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    API;
    RETURN(set(ptr, pitch, 0, value, width, height, 1, stream));
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent e)
{
    API;
    RETURN(set(ptr.ptr, ptr.pitch, ptr.pitch * ptr.ysize, value, e.width, e.height, e.depth, 0));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent e, cudaStream_t stream)
{
    API;
    RETURN(set(ptr.ptr, ptr.pitch, ptr.pitch * ptr.ysize, value, e.width, e.height, e.depth, stream));
}
