/* nvml.c: NVML's queries, answered with what the runtime says of its device. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cuda_runtime_api.h"
#include "nvml.h"

/* A handle is the address of its device's place here. */
struct nvmlDevice_st {
    char unused;
};
enum { MOST_DEVICES = 16 };
static struct {
    pthread_mutex_t lock;
    int uses; /* nvmlInit() without its nvmlShutdown() */
    struct nvmlDevice_st devices[MOST_DEVICES];
} nvml = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool in_use(void)
{
    pthread_mutex_lock(&nvml.lock);
    const bool used = nvml.uses > 0;
    pthread_mutex_unlock(&nvml.lock);
    return used;
}
static int device_count(void)
{
    int n = 0;
    return cudaGetDeviceCount(&n) ? 0 : n < MOST_DEVICES ? n : MOST_DEVICES;
}

/* What any query of a device says first: is NVML in use, is this a device, is there a place for the result? */
static nvmlReturn_t asked(nvmlDevice_t device, const void *result)
{
    if (!in_use())
        return NVML_ERROR_UNINITIALIZED;
    for (int i = 0, n = device_count(); i < n; i++)
        if (device == &nvml.devices[i])
            return result ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
    return NVML_ERROR_INVALID_ARGUMENT;
}
static nvmlReturn_t properties_of(nvmlDevice_t device, const void *result, struct cudaDeviceProp *p)
{
    const nvmlReturn_t status = asked(device, result);
    if (status)
        return status;
    return cudaGetDeviceProperties(p, (int)(device - nvml.devices)) ? NVML_ERROR_UNKNOWN : NVML_SUCCESS;
}
__attribute__((format(printf, 3, 4))) static nvmlReturn_t text(char *to, unsigned int length, const char *format, ...)
{
    char made[512];
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(made, sizeof made, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= sizeof made || (unsigned int)n >= length)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    memcpy(to, made, (size_t)n + 1);
    return NVML_SUCCESS;
}

/* ---- the library ---- */

const char *nvmlErrorString(nvmlReturn_t result)
{
    static const struct {
        nvmlReturn_t result;
        const char *words;
    } all[] = {{NVML_SUCCESS, "Success"},
               {NVML_ERROR_UNINITIALIZED, "Uninitialized"},
               {NVML_ERROR_INVALID_ARGUMENT, "Invalid Argument"},
               {NVML_ERROR_NOT_SUPPORTED, "Not Supported"},
               {NVML_ERROR_NO_PERMISSION, "Insufficient Permissions"},
               {NVML_ERROR_ALREADY_INITIALIZED, "Already Initialized"},
               {NVML_ERROR_NOT_FOUND, "Not Found"},
               {NVML_ERROR_INSUFFICIENT_SIZE, "Insufficient Size"},
               {NVML_ERROR_DRIVER_NOT_LOADED, "Driver Not Loaded"},
               {NVML_ERROR_TIMEOUT, "Timeout"},
               {NVML_ERROR_GPU_IS_LOST, "GPU is lost"},
               {NVML_ERROR_UNKNOWN, "Unknown Error"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].result == result)
            return all[i].words;
    return "Unknown Error";
}
nvmlReturn_t nvmlInit_v2(void)
{
    pthread_mutex_lock(&nvml.lock);
    nvml.uses++;
    pthread_mutex_unlock(&nvml.lock);
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlInitWithFlags(unsigned int flags)
{
    (void)flags; /* none of them concerns a machine with one device */
    return nvmlInit_v2();
}
nvmlReturn_t nvmlShutdown(void)
{
    pthread_mutex_lock(&nvml.lock);
    const nvmlReturn_t status = nvml.uses ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
    nvml.uses -= nvml.uses > 0;
    pthread_mutex_unlock(&nvml.lock);
    return status;
}

static nvmlReturn_t library_version(char *version, unsigned int length)
{
    if (!in_use())
        return NVML_ERROR_UNINITIALIZED;
    return version ? text(version, length, "%d.%d (CPU device)", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10)
                   : NVML_ERROR_INVALID_ARGUMENT;
}
nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length) { return library_version(version, length); }
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length) { return library_version(version, length); }
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version) /* asks for no nvmlInit() */
{
    if (!version)
        return NVML_ERROR_INVALID_ARGUMENT;
    return cudaDriverGetVersion(version) ? NVML_ERROR_UNKNOWN : NVML_SUCCESS;
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version) { return nvmlSystemGetCudaDriverVersion(version); }

/* ---- devices ---- */

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count)
{
    if (!in_use())
        return NVML_ERROR_UNINITIALIZED;
    if (!count)
        return NVML_ERROR_INVALID_ARGUMENT;
    *count = (unsigned int)device_count();
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
{
    if (!in_use())
        return NVML_ERROR_UNINITIALIZED;
    if (!device || index >= (unsigned int)device_count())
        return NVML_ERROR_INVALID_ARGUMENT;
    *device = &nvml.devices[index];
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    char own[NVML_DEVICE_UUID_V2_BUFFER_SIZE];
    if (!in_use())
        return NVML_ERROR_UNINITIALIZED;
    if (!uuid || !device)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0, n = device_count(); i < n; i++)
        if (!nvmlDeviceGetUUID(&nvml.devices[i], own, sizeof own) && !strcmp(own, uuid)) {
            *device = &nvml.devices[i];
            return NVML_SUCCESS;
        }
    return NVML_ERROR_NOT_FOUND;
}
/* domain:bus:device.function, the domain or the function may be missing; in hexadecimal digits. */
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device)
{
    unsigned int at[3];
    if (!in_use())
        return NVML_ERROR_UNINITIALIZED;
    if (!id || !device)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (sscanf(id, "%x:%x:%x", &at[0], &at[1], &at[2]) != 3) {
        at[0] = 0;
        if (sscanf(id, "%x:%x", &at[1], &at[2]) != 2)
            return NVML_ERROR_INVALID_ARGUMENT;
    }
    for (int i = 0, n = device_count(); i < n; i++) {
        nvmlPciInfo_t own;
        if (!nvmlDeviceGetPciInfo_v3(&nvml.devices[i], &own) && own.domain == at[0] && own.bus == at[1] &&
            own.device == at[2]) {
            *device = &nvml.devices[i];
            return NVML_SUCCESS;
        }
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
    const nvmlReturn_t status = asked(device, index);
    if (!status)
        *index = (unsigned int)(device - nvml.devices);
    return status;
}
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
    struct cudaDeviceProp p;
    const nvmlReturn_t status = properties_of(device, name, &p);
    return status ? status : text(name, length, "%s", p.name);
}
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
    struct cudaDeviceProp p;
    const nvmlReturn_t status = properties_of(device, uuid, &p);
    if (status)
        return status;
    char made[48] = "GPU";
    for (int i = 0, n = 3; i < 16; i++) /* 4, 2, 2, 2 and 6 bytes */
        n += snprintf(made + n, sizeof made - (size_t)n, "%s%02x",
                      i == 0 || (i >= 4 && i <= 10 && i % 2 == 0) ? "-" : "", (unsigned char)p.uuid.bytes[i]);
    return text(uuid, length, "%s", made);
}
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    struct cudaDeviceProp p;
    const nvmlReturn_t status = properties_of(device, pci, &p);
    if (status)
        return status;
    memset(pci, 0, sizeof *pci); /* no number of a maker */
    pci->domain = (unsigned int)p.pciDomainID;
    pci->bus = (unsigned int)p.pciBusID;
    pci->device = (unsigned int)p.pciDeviceID;
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0", pci->domain & 0xffff, pci->bus & 0xff,
             pci->device & 0xff);
    snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", pci->domain, pci->bus & 0xff, pci->device & 0xff);
    return NVML_SUCCESS;
}

/* As cudaMemGetInfo() has it, whatever device is current. */
static nvmlReturn_t memory_of(nvmlDevice_t device, size_t *free_bytes, size_t *total)
{
    int before;
    cudaError_t e = cudaGetDevice(&before);
    e = e ? e : cudaSetDevice((int)(device - nvml.devices));
    e = e ? e : cudaMemGetInfo(free_bytes, total);
    return cudaSetDevice(before) || e ? NVML_ERROR_UNKNOWN : NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    size_t unused, total;
    nvmlReturn_t status = asked(device, memory);
    if (!status)
        status = memory_of(device, &unused, &total);
    if (!status)
        *memory = (nvmlMemory_t){total, unused, total - unused};
    return status;
}
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    nvmlMemory_t m;
    const nvmlReturn_t status = asked(device, memory);
    if (status)
        return status;
    if (memory->version != nvmlMemory_v2)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    const nvmlReturn_t read = nvmlDeviceGetMemoryInfo(device, &m);
    if (!read)
        *memory = (nvmlMemory_v2_t){nvmlMemory_v2, m.total, 0, m.free, m.used};
    return read;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    struct cudaDeviceProp p;
    const nvmlReturn_t status = properties_of(device, minor ? major : NULL, &p);
    if (!status)
        *major = p.major, *minor = p.minor;
    return status;
}
nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *architecture)
{
    struct cudaDeviceProp p;
    const nvmlReturn_t status = properties_of(device, architecture, &p);
    if (!status)
        *architecture = p.major == 9 ? NVML_DEVICE_ARCH_HOPPER : NVML_DEVICE_ARCH_UNKNOWN;
    return status;
}
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode)
{
    const nvmlReturn_t status = asked(device, mode);
    if (!status)
        *mode = NVML_COMPUTEMODE_DEFAULT;
    return status;
}
nvmlReturn_t nvmlDeviceGetAPIRestriction(nvmlDevice_t device, nvmlRestrictedAPI_t api, nvmlEnableState_t *restricted)
{
    (void)api;
    const nvmlReturn_t status = asked(device, restricted);
    if (!status)
        *restricted = NVML_FEATURE_ENABLED; /* nobody sets clocks */
    return status;
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *infos)
{
    nvmlMemory_t m;
    nvmlReturn_t status = asked(device, count);
    if (!status)
        status = nvmlDeviceGetMemoryInfo(device, &m);
    if (status)
        return status;
    const unsigned int room = *count;
    *count = 1;
    if (room < 1)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    if (!infos)
        return NVML_ERROR_INVALID_ARGUMENT;
    infos[0] = (nvmlProcessInfo_t){(unsigned int)getpid(), m.used, 0xffffffff, 0xffffffff};
    return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int *count,
                                                      nvmlProcessInfo_t *infos)
{
    (void)infos;
    const nvmlReturn_t status = asked(device, count);
    if (!status)
        *count = 0;
    return status;
}
