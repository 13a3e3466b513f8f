/* cpudev_ipc.h: the driver interface's names for what processes share (cudaIpcGetMemHandle and its like). C-clean. */
#ifndef CPUDEV_IPC_H
#define CPUDEV_IPC_H

#ifndef __cuda_cuda_h__
#error include <cuda.h>
#endif

#define CU_IPC_HANDLE_SIZE 64
typedef struct CUipcMemHandle_st {
    char reserved[CU_IPC_HANDLE_SIZE];
} CUipcMemHandle;
typedef struct CUipcEventHandle_st {
    char reserved[CU_IPC_HANDLE_SIZE];
} CUipcEventHandle;
typedef enum CUipcMem_flags_enum { CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1 } CUipcMem_flags;

CPUDEV_DRIVER CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr p)
{
    return (CUresult)cudaIpcGetMemHandle((cudaIpcMemHandle_t *)(void *)handle, (void *)(size_t)p);
}
CPUDEV_DRIVER CUresult cuIpcOpenMemHandle(CUdeviceptr *p, CUipcMemHandle handle, unsigned flags)
{
    void *memory = NULL;
    CUresult result = (CUresult)cudaIpcOpenMemHandle(p ? &memory : NULL, *(cudaIpcMemHandle_t *)(void *)&handle, flags);
    if (!result)
        *p = (CUdeviceptr)(size_t)memory;
    return result;
}
CPUDEV_DRIVER CUresult cuIpcCloseMemHandle(CUdeviceptr p) { return (CUresult)cudaIpcCloseMemHandle((void *)(size_t)p); }
CPUDEV_DRIVER CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    return (CUresult)cudaIpcGetEventHandle((cudaIpcEventHandle_t *)(void *)handle, event);
}
CPUDEV_DRIVER CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle)
{
    return (CUresult)cudaIpcOpenEventHandle(event, *(cudaIpcEventHandle_t *)(void *)&handle);
}

#endif
