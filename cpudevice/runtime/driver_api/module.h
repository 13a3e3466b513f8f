/* module.h: the driver interface's modules and the kernels in them. */
#ifndef MODULE_H
#define MODULE_H

#include "device/call.h"
#include "cuda.h"
#include "driver_api/module_image.h"

/* As API and RETURN; the driver's errors are not the runtime's last error. */
#define DRIVER                                                                                                         \
    api_call call_ __attribute__((cleanup(api_leave))) = api_enter_from(__func__, __builtin_return_address(0))
#define RESULT(e) return (CUresult)(call_.status = (cudaError_t)(e))

struct CUfunc_st {
    struct CUfunc_st *next;
    const void *function;
    char *name;
    CUmodule module;
    struct parameter_block *block; /* what CUDA 3's functions have set; NULL: nothing */
};

/* One that is unloaded stays in memory, with its code: profiles and findings name its kernels until the end. */
struct CUmod_st {
    module_image image;
    void *handle;
    char *base; /* what its symbols' values are added to */
    struct CUfunc_st *functions;
    bool loaded;
};

#endif
