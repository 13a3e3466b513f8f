// Read first by every file under `cucc --check`: calls of memcpy and its like in
// the student's code go to versions that check both ranges.
#ifndef CPUDEV_CHECK_PRE_H
#define CPUDEV_CHECK_PRE_H
#ifdef __cplusplus
#include <string.h>
extern "C" {
void *memcpy(void *__restrict, const void *__restrict, size_t) noexcept __asm__("cpudev_check_memcpy");
void *memmove(void *, const void *, size_t) noexcept __asm__("cpudev_check_memmove");
void *memset(void *, int, size_t) noexcept __asm__("cpudev_check_memset");
}
#endif
#endif
