/* NVML's queries beside what the runtime says of the same device. */
// BUILD: $cucc -O1 -o $exe $case -lnvidia-ml
// TEST: nvidia-ml
// RUN: $exe
#include <cstdlib>
#include <cstring>
#include <nvml.h>
#include <unistd.h>

#include "matrix.h"

static const nvmlReturn_t ok = NVML_SUCCESS;

static void before_and_after(nvmlDevice_t device)
{
    unsigned int n;
    nvmlDevice_t same;
    nvmlMemory_t memory;
    expect(nvmlDeviceGetCount(&n) == NVML_ERROR_UNINITIALIZED, "no count without nvmlInit()");
    expect(nvmlDeviceGetHandleByIndex(0, &same) == NVML_ERROR_UNINITIALIZED, "no handle without nvmlInit()");
    expect(nvmlDeviceGetMemoryInfo(device, &memory) == NVML_ERROR_UNINITIALIZED, "no memory without nvmlInit()");
    expect(nvmlDeviceGetPowerUsage(device, &n) == NVML_ERROR_UNINITIALIZED, "no power without nvmlInit()");
    expect(nvmlShutdown() == NVML_ERROR_UNINITIALIZED, "no shutdown without nvmlInit()");
}

static void identity_of(nvmlDevice_t device, const cudaDeviceProp &p)
{
    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE], uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE], bus[32], hex[33] = "", *end = hex;
    nvmlDevice_t same;
    nvmlPciInfo_t pci;
    unsigned int index = 7;
    int major, minor;
    expect(nvmlDeviceGetName(device, name, sizeof name) == ok && !strcmp(name, p.name), "the name");
    expect(nvmlDeviceGetName(device, name, 3) == NVML_ERROR_INSUFFICIENT_SIZE, "too little room for a name");
    expect(nvmlDeviceGetName(device, NULL, 3) == NVML_ERROR_INVALID_ARGUMENT, "no room for a name");
    expect(nvmlDeviceGetUUID(device, uuid, sizeof uuid) == ok && strlen(uuid) == 40 && !strncmp(uuid, "GPU-", 4), "the UUID");
    for (const char *c = uuid + 4; *c && end < hex + 32; c++)
        if (*c != '-')
            *end++ = *c;
    for (int i = 0; i < 16; i++) {
        const char byte[3] = {hex[2 * i], hex[2 * i + 1], 0};
        expect(strtol(byte, NULL, 16) == (unsigned char)p.uuid.bytes[i], "the UUID's bytes");
    }
    expect(uuid[12] == '-' && uuid[17] == '-' && uuid[22] == '-' && uuid[27] == '-', "the UUID's form");
    expect(nvmlDeviceGetHandleByUUID(uuid, &same) == ok && same == device, "by its UUID");
    uuid[39] = uuid[39] == '0' ? '1' : '0';
    expect(nvmlDeviceGetHandleByUUID(uuid, &same) == NVML_ERROR_NOT_FOUND, "by another UUID");
    expect(nvmlDeviceGetPciInfo(device, &pci) == ok && (int)pci.domain == p.pciDomainID && (int)pci.bus == p.pciBusID &&
               (int)pci.device == p.pciDeviceID,
           "the PCI place");
    expect(cudaDeviceGetPCIBusId(bus, sizeof bus, 0) == cudaSuccess && !strcasecmp(bus, pci.busIdLegacy), "its name");
    expect(nvmlDeviceGetHandleByPciBusId(pci.busId, &same) == ok && same == device, "by its PCI place");
    expect(nvmlDeviceGetHandleByPciBusId(bus, &same) == ok && same == device, "by its PCI place, as CUDA has it");
    expect(nvmlDeviceGetHandleByPciBusId("0000:77:00.0", &same) == NVML_ERROR_NOT_FOUND, "by another place");
    expect(nvmlDeviceGetHandleByPciBusId("here", &same) == NVML_ERROR_INVALID_ARGUMENT, "by no place");
    expect(nvmlDeviceGetIndex(device, &index) == ok && index == 0, "the index");
    expect(nvmlDeviceGetCudaComputeCapability(device, &major, &minor) == ok && major == p.major && minor == p.minor,
           "the compute capability");
}

static void memory_of(nvmlDevice_t device)
{
    nvmlMemory_t before, after;
    nvmlMemory_v2_t second = {};
    nvmlProcessInfo_t process;
    unsigned int n = 1;
    size_t unused, total;
    char *p;
    const unsigned long long bytes = 32 << 20;
    expect(nvmlDeviceGetMemoryInfo(device, &before) == ok, "the memory");
    cudaMalloc(&p, bytes);
    cudaMemGetInfo(&unused, &total);
    expect(nvmlDeviceGetMemoryInfo(device, &after) == ok && after.total == total && after.free == unused &&
               after.used == total - unused && after.used >= before.used + bytes && before.total == total,
           "the memory, after cudaMalloc()");
    expect(nvmlDeviceGetMemoryInfo_v2(device, &second) == NVML_ERROR_ARGUMENT_VERSION_MISMATCH, "no version");
    second.version = nvmlMemory_v2;
    expect(nvmlDeviceGetMemoryInfo_v2(device, &second) == ok && second.total == total && second.free == unused, "version 2");
    expect(nvmlDeviceGetComputeRunningProcesses(device, &n, &process) == ok && n == 1 && (int)process.pid == getpid() &&
               process.usedGpuMemory == after.used,
           "this process");
    n = 0;
    expect(nvmlDeviceGetComputeRunningProcesses(device, &n, NULL) == NVML_ERROR_INSUFFICIENT_SIZE && n == 1, "how many");
    cudaFree(p);
}

static void not_there(nvmlDevice_t device)
{
    unsigned int x = 7, y = 7;
    nvmlUtilization_t u;
    nvmlEnableState_t state;
    const nvmlReturn_t none = NVML_ERROR_NOT_SUPPORTED;
    expect(nvmlDeviceGetUtilizationRates(device, &u) == none && nvmlDeviceGetPowerUsage(device, &x) == none &&
               nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &x) == none &&
               nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &x) == none && nvmlDeviceGetFanSpeed(device, &x) == none &&
               nvmlDeviceGetSupportedGraphicsClocks(device, 1, &x, &y) == none && x == 7 && y == 7,
           "no value");
    expect(nvmlDeviceSetApplicationsClocks(device, 1, 1) == none && nvmlDeviceResetApplicationsClocks(device) == none &&
               nvmlDeviceGetAPIRestriction(device, NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS, &state) == ok &&
               state == NVML_FEATURE_ENABLED,
           "nothing to set");
    expect(nvmlDeviceGetPowerUsage(device, NULL) == NVML_ERROR_INVALID_ARGUMENT &&
               nvmlDeviceGetPowerUsage(NULL, &x) == NVML_ERROR_INVALID_ARGUMENT,
           "wrong arguments come first");
    expect(!strcmp(nvmlErrorString(none), "Not Supported") && !strcmp(nvmlErrorString(ok), "Success"), "words");
}

int main()
{
    nvmlDevice_t device = NULL, other;
    cudaDeviceProp p;
    unsigned int n = 0;
    int version = 0, runtime = 0, devices = 0;
    char text[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE];
    cudaGetDeviceProperties(&p, 0);
    before_and_after(device);
    expect(nvmlInit() == ok && nvmlInit() == ok && nvmlShutdown() == ok, "nvmlInit() twice, and once back");
    cudaGetDeviceCount(&devices);
    expect(nvmlDeviceGetCount(&n) == ok && (int)n == devices, "the count");
    expect(nvmlDeviceGetHandleByIndex(n, &device) == NVML_ERROR_INVALID_ARGUMENT, "an index too large");
    expect(nvmlDeviceGetHandleByIndex(0, &device) == ok && nvmlDeviceGetHandleByIndex(0, &other) == ok && device == other,
           "a handle");
    cudaDriverGetVersion(&runtime);
    expect(nvmlSystemGetCudaDriverVersion(&version) == ok && version == runtime, "CUDA's version");
    expect(nvmlSystemGetDriverVersion(text, sizeof text) == ok && strstr(text, "CPU device"), "the driver's version");
    identity_of(device, p), memory_of(device), not_there(device);
    expect(nvmlShutdown() == ok, "nvmlShutdown()");
    before_and_after(device);
    return verdict();
}
