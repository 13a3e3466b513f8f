/* driver_context.c: the driver interface's contexts: each host thread has a stack of them. Each is of one
 * device, whose memory all its contexts share. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "device/devices.h"
#include "driver_api/context.h"
#include "driver_api/module.h"

struct CUctx_st {
    unsigned flags, uses; /* uses: how many calls of cuCtxDetach() destroy it */
    int device;
    bool primary, destroyed; /* kept, so that its later use is reported */
};

static struct CUctx_st primaries[MAX_DEVICES]; /* filled in as they are asked for */

enum { DEPTH = 64 };

static __thread struct {
    CUcontext context[DEPTH];
    int depth;
} stack;

/* NULL also where cudaSetDevice() has made another device's primary context current since. */
static CUcontext current(void)
{
    CUcontext top = stack.depth ? stack.context[stack.depth - 1] : NULL;
    return top && top->device == current_device() ? top : NULL;
}

bool context_is_valid(CUcontext context) { return context && !context->destroyed; }

CUcontext context_primary(int device)
{
    primaries[device].device = device;
    primaries[device].primary = true;
    return &primaries[device];
}

static CUresult push(CUcontext c)
{
    if (!c || c->destroyed)
        return c ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
    if (stack.depth == DEPTH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stack.context[stack.depth++] = c;
    make_current(c->device);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    DRIVER;
    if (!context || !device_exists(device))
        RESULT(context ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE);
    *context = context_primary(device);
    RESULT(CUDA_SUCCESS);
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned flags, CUdevice device)
{
    DRIVER;
    (void)params; /* they are about parts of a GPU */
    if (!context || flags > 0x1f)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    if (!device_exists(device))
        RESULT(CUDA_ERROR_INVALID_DEVICE);
    CUcontext c = calloc(1, sizeof *c);
    if (!c)
        RESULT(CUDA_ERROR_OUT_OF_MEMORY);
    c->flags = flags;
    c->uses = 1;
    c->device = device;
    CUresult result = push(c);
    if (result)
        free(c);
    else
        *context = c;
    RESULT(result);
}

static CUresult destroy(CUcontext context)
{
    CUresult result = (CUresult)cudaDeviceSynchronize();
    if (current() == context)
        stack.depth--;
    context->destroyed = true;
    return result;
}

CUresult cuCtxDestroy(CUcontext context)
{
    DRIVER;
    if (!context || context->primary)
        RESULT(CUDA_ERROR_INVALID_CONTEXT);
    if (context->destroyed)
        RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    RESULT(destroy(context));
}

CUresult cuCtxAttach(CUcontext *context, unsigned flags)
{
    DRIVER;
    if (!context || flags)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    CUcontext c = current();
    if (!c || c->primary)
        RESULT(CUDA_ERROR_INVALID_CONTEXT);
    c->uses++;
    *context = c;
    RESULT(CUDA_SUCCESS);
}

CUresult cuCtxDetach(CUcontext context)
{
    DRIVER;
    if (!context || context->primary || current() != context)
        RESULT(CUDA_ERROR_INVALID_CONTEXT);
    RESULT(--context->uses ? CUDA_SUCCESS : destroy(context));
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    DRIVER;
    RESULT(push(context));
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    DRIVER;
    if (!stack.depth)
        RESULT(CUDA_ERROR_INVALID_CONTEXT);
    stack.depth--;
    if (context)
        *context = stack.context[stack.depth];
    if (stack.depth)
        make_current(stack.context[stack.depth - 1]->device);
    RESULT(CUDA_SUCCESS);
}

/* Takes the place of the one on top; NULL takes that away. */
CUresult cuCtxSetCurrent(CUcontext context)
{
    DRIVER;
    if (context && context->destroyed)
        RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    stack.depth -= stack.depth > 0;
    RESULT(context ? push(context) : CUDA_SUCCESS);
}

/* The primary context is current where the runtime alone has been used. */
CUresult cuCtxGetCurrent(CUcontext *context)
{
    DRIVER;
    if (!context)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    *context = current() ? current() : context_primary(current_device());
    RESULT(CUDA_SUCCESS);
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    DRIVER;
    if (!device)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    *device = current_device();
    RESULT(CUDA_SUCCESS);
}

CUresult cuCtxGetFlags(unsigned *flags)
{
    DRIVER;
    if (!flags)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    *flags = current() ? current()->flags : 0;
    RESULT(CUDA_SUCCESS);
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
    DRIVER;
    if (!version)
        RESULT(CUDA_ERROR_INVALID_VALUE);
    if (context && context->destroyed)
        RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    *version = CUDA_VERSION;
    RESULT(CUDA_SUCCESS);
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    DRIVER;
    if (!peer || peer->destroyed)
        RESULT(CUDA_ERROR_INVALID_CONTEXT);
    RESULT((CUresult)cudaDeviceEnablePeerAccess(peer->device, flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    DRIVER;
    if (!peer || peer->destroyed)
        RESULT(CUDA_ERROR_INVALID_CONTEXT);
    RESULT((CUresult)cudaDeviceDisablePeerAccess(peer->device));
}
