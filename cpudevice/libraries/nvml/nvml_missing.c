/* nvml_missing.c: NVML's queries for which a CPU device has no value, and settings: each is NVML_ERROR_NOT_SUPPORTED, once
 * its arguments are right. */
#include <stddef.h>

#include "nvml.h"

/* Is this a device? Any query of one says so. */
static nvmlReturn_t not_supported(nvmlDevice_t device, const void *result)
{
    unsigned int index;
    const nvmlReturn_t status = nvmlDeviceGetIndex(device, result ? &index : NULL);
    return status ? status : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *utilization)
{
    return not_supported(device, utilization);
}
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned int *degrees)
{
    (void)sensor;
    return not_supported(device, degrees);
}
nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t which,
                                               unsigned int *degrees)
{
    (void)which;
    return not_supported(device, degrees);
}
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *milliwatts)
{
    return not_supported(device, milliwatts);
}
nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int *milliwatts)
{
    return not_supported(device, milliwatts);
}
nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned int *milliwatts)
{
    return not_supported(device, milliwatts);
}
nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned int *least, unsigned int *most)
{
    return not_supported(device, most ? least : NULL);
}
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int *milliwatts)
{
    return not_supported(device, milliwatts);
}
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *millijoules)
{
    return not_supported(device, millijoules);
}
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz)
{
    (void)type;
    return not_supported(device, mhz);
}
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz)
{
    (void)type;
    return not_supported(device, mhz);
}
nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id, unsigned int *mhz)
{
    (void)type;
    (void)id;
    return not_supported(device, mhz);
}
nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz)
{
    (void)type;
    return not_supported(device, mhz);
}
nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz)
{
    (void)type;
    return not_supported(device, mhz);
}
nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned int *count, unsigned int *mhz)
{
    (void)mhz;
    return not_supported(device, count);
}
nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned int memory_mhz, unsigned int *count,
                                                  unsigned int *mhz)
{
    (void)memory_mhz;
    (void)mhz;
    return not_supported(device, count);
}
nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int *percent)
{
    return not_supported(device, percent);
}
nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t *state)
{
    return not_supported(device, state);
}
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
    return not_supported(device, mode);
}
nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t *current, nvmlEnableState_t *pending)
{
    return not_supported(device, pending ? current : NULL);
}
nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending)
{
    return not_supported(device, pending ? current : NULL);
}
nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned int *generation)
{
    return not_supported(device, generation);
}
nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned int *width)
{
    return not_supported(device, width);
}
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *number)
{
    return not_supported(device, number);
}
nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char *serial, unsigned int length)
{
    (void)length;
    return not_supported(device, serial);
}
nvmlReturn_t nvmlDeviceSetApplicationsClocks(nvmlDevice_t device, unsigned int memory_mhz, unsigned int graphics_mhz)
{
    (void)memory_mhz;
    (void)graphics_mhz;
    return not_supported(device, device);
}
nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t device) { return not_supported(device, device); }
nvmlReturn_t nvmlDeviceSetGpuLockedClocks(nvmlDevice_t device, unsigned int least_mhz, unsigned int most_mhz)
{
    (void)least_mhz;
    (void)most_mhz;
    return not_supported(device, device);
}
nvmlReturn_t nvmlDeviceResetGpuLockedClocks(nvmlDevice_t device) { return not_supported(device, device); }
nvmlReturn_t nvmlDeviceSetPowerManagementLimit(nvmlDevice_t device, unsigned int milliwatts)
{
    (void)milliwatts;
    return not_supported(device, device);
}
nvmlReturn_t nvmlDeviceSetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t mode)
{
    (void)mode;
    return not_supported(device, device);
}
