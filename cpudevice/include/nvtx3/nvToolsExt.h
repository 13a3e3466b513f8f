/* nvToolsExt.h: NVTX ranges and marks. No tool listens on the CPU device, so they do nothing. C-clean. */
#ifndef NVTX_CPUDEV_H
#define NVTX_CPUDEV_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1, NVTX_MESSAGE_TYPE_ASCII = 1 };
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const wchar_t *unicode;
    } message;
} nvtxEventAttributes_t;

static inline __attribute__((unused)) int nvtxRangePushA(const char *name)
{
    (void)name;
    return 0;
}
static inline __attribute__((unused)) int nvtxRangePushEx(const nvtxEventAttributes_t *a)
{
    (void)a;
    return 0;
}
static inline __attribute__((unused)) int nvtxRangePop(void) { return 0; }
static inline __attribute__((unused)) nvtxRangeId_t nvtxRangeStartA(const char *name)
{
    (void)name;
    return 0;
}
static inline __attribute__((unused)) void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
static inline __attribute__((unused)) void nvtxMarkA(const char *name) { (void)name; }
static inline __attribute__((unused)) void nvtxNameOsThreadA(uint32_t thread, const char *name)
{
    (void)thread;
    (void)name;
}
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA

#endif
