/* nvToolsExt.h: an NVTX among the system's headers, as NVIDIA's is. */
#ifndef NVTX_OF_THE_SYSTEM
#define NVTX_OF_THE_SYSTEM
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0 } nvtxColorType_t;
inline int nvtxRangePushA(const char *) { return 41; }
#endif
