/* nvToolsExt.h: NVTX 3's ranges, marks, domains and names. No tool listens on the CPU device, so they do nothing and return
 * what NVTX does where no tool listens. All of the core interface is there: CCCL's headers use it wherever they find this
 * file. Where NVIDIA's own is installed among the system's headers, that is taken: CCCL includes its nvtx3.hpp, and with it
 * its nvToolsExt.h. C-clean. Names and values: https://nvidia.github.io/NVTX/doxygen/ */
#ifndef NVTX_CPUDEV_H
#define NVTX_CPUDEV_H

#ifdef __has_include_next
#if __has_include_next(<nvtx3/nvToolsExt.h>)
#define NVTX_CPUDEV_INSTALLED
#endif
#endif
#ifdef NVTX_CPUDEV_INSTALLED
#include_next <nvtx3/nvToolsExt.h>
#else

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxResourceAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;
typedef struct nvtxResourceAttributes_v0 {
    uint16_t version, size;
    int32_t identifierType;
    union identifier_t {
        const void *pValue;
        uint64_t ullValue;
    } identifier;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxResourceAttributes_t;

/* Functions of no, one and two parameters that do nothing; of a void one the value is left out. */
#define CPUDEV_NVTX0(type, name, value)                                                                                \
    static inline __attribute__((unused)) type name(void) { return value; }
#define CPUDEV_NVTX1(type, name, value, A)                                                                             \
    static inline __attribute__((unused)) type name(A a)                                                               \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        return value;                                                                                                  \
    }
#define CPUDEV_NVTX2(type, name, value, A, B)                                                                          \
    static inline __attribute__((unused)) type name(A a, B b)                                                          \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        (void)b;                                                                                                       \
        return value;                                                                                                  \
    }
/* The same for both kinds of text: nameA and nameW. */
#define CPUDEV_NVTX_TEXT1(type, name, value)                                                                           \
    CPUDEV_NVTX1(type, name##A, value, const char *)                                                                   \
    CPUDEV_NVTX1(type, name##W, value, const wchar_t *)
#define CPUDEV_NVTX_TEXT2(type, name, value, First)                                                                    \
    CPUDEV_NVTX2(type, name##A, value, First, const char *)                                                            \
    CPUDEV_NVTX2(type, name##W, value, First, const wchar_t *)

CPUDEV_NVTX1(void, nvtxInitialize, , const void *)
CPUDEV_NVTX1(void, nvtxMarkEx, , const nvtxEventAttributes_t *)
CPUDEV_NVTX_TEXT1(void, nvtxMark, )
CPUDEV_NVTX1(nvtxRangeId_t, nvtxRangeStartEx, 0, const nvtxEventAttributes_t *)
CPUDEV_NVTX_TEXT1(nvtxRangeId_t, nvtxRangeStart, 0)
CPUDEV_NVTX1(void, nvtxRangeEnd, , nvtxRangeId_t)
CPUDEV_NVTX1(int, nvtxRangePushEx, NVTX_NO_PUSH_POP_TRACKING, const nvtxEventAttributes_t *)
CPUDEV_NVTX_TEXT1(int, nvtxRangePush, NVTX_NO_PUSH_POP_TRACKING)
CPUDEV_NVTX0(int, nvtxRangePop, NVTX_NO_PUSH_POP_TRACKING)
CPUDEV_NVTX_TEXT2(void, nvtxNameCategory, , uint32_t)
CPUDEV_NVTX_TEXT2(void, nvtxNameOsThread, , uint32_t)

CPUDEV_NVTX_TEXT1(nvtxDomainHandle_t, nvtxDomainCreate, NULL)
CPUDEV_NVTX1(void, nvtxDomainDestroy, , nvtxDomainHandle_t)
CPUDEV_NVTX2(void, nvtxDomainMarkEx, , nvtxDomainHandle_t, const nvtxEventAttributes_t *)
CPUDEV_NVTX2(nvtxRangeId_t, nvtxDomainRangeStartEx, 0, nvtxDomainHandle_t, const nvtxEventAttributes_t *)
CPUDEV_NVTX2(void, nvtxDomainRangeEnd, , nvtxDomainHandle_t, nvtxRangeId_t)
CPUDEV_NVTX2(int, nvtxDomainRangePushEx, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainHandle_t, const nvtxEventAttributes_t *)
CPUDEV_NVTX1(int, nvtxDomainRangePop, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainHandle_t)
CPUDEV_NVTX2(nvtxResourceHandle_t, nvtxDomainResourceCreate, NULL, nvtxDomainHandle_t, nvtxResourceAttributes_t *)
CPUDEV_NVTX1(void, nvtxDomainResourceDestroy, , nvtxResourceHandle_t)
CPUDEV_NVTX_TEXT2(nvtxStringHandle_t, nvtxDomainRegisterString, NULL, nvtxDomainHandle_t)

static inline __attribute__((unused)) void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category,
                                                                   const char *name)
{
    (void)domain;
    (void)category;
    (void)name;
}
static inline __attribute__((unused)) void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category,
                                                                   const wchar_t *name)
{
    (void)domain;
    (void)category;
    (void)name;
}
#undef CPUDEV_NVTX0
#undef CPUDEV_NVTX1
#undef CPUDEV_NVTX2
#undef CPUDEV_NVTX_TEXT1
#undef CPUDEV_NVTX_TEXT2

/* Without a letter: of char. */
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA

#endif
#endif
