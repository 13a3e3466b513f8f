/* cpudev_driver_missing.h: declarations of what the CPU device's driver interface does not have
 * (cpudev_driver_missing.inc), with the types that these functions take. Part of cuda.h. C-clean. Source of the
 * interface: https://docs.nvidia.com/cuda/cuda-driver-api/ */
#ifndef CPUDEV_DRIVER_MISSING_H
#define CPUDEV_DRIVER_MISSING_H

/* Texture and surface references: CUDA 12 took them out of its language, so no module has one. */
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
#define CU_TRSA_OVERRIDE_FORMAT 0x01
#define CU_PARAM_TR_DEFAULT -1

typedef struct CUgraphicsResource_st *CUgraphicsResource;
typedef enum CUgraphicsRegisterFlags_enum {
    CU_GRAPHICS_REGISTER_FLAGS_NONE = 0,
    CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY = 1,
    CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD = 2,
    CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST = 4,
    CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER = 8
} CUgraphicsRegisterFlags;
typedef enum CUgraphicsMapResourceFlags_enum {
    CU_GRAPHICS_MAP_RESOURCE_FLAGS_NONE = 0,
    CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY = 1,
    CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 2
} CUgraphicsMapResourceFlags;
typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;

#ifdef __cplusplus
extern "C" {
#endif
#define CPUDEV_MISSING(name, parameters) CUresult name parameters;
#include "cpudev_driver_missing.inc"
#undef CPUDEV_MISSING
#ifdef __cplusplus
}
#endif

#endif
