// Read first by every file under `cucc --check`: calls of memcpy, malloc and their like in
// the student's code go to versions that check them.
#ifndef CPUDEV_CHECK_PRE_H
#define CPUDEV_CHECK_PRE_H
#undef _FORTIFY_SOURCE // its memcpy() and memset() would not go there
#ifdef __cplusplus
#include <stdlib.h>
#include <string.h>
extern "C" {
void *memcpy(void *__restrict, const void *__restrict, size_t) noexcept __asm__("cpudev_check_memcpy");
void *memmove(void *, const void *, size_t) noexcept __asm__("cpudev_check_memmove");
void *malloc(size_t) noexcept __asm__("cpudev_check_malloc");
void free(void *) noexcept __asm__("cpudev_check_free");
void *calloc(size_t, size_t) noexcept __asm__("cpudev_check_calloc");
void *realloc(void *, size_t) noexcept __asm__("cpudev_check_realloc");
void *memset(void *, int, size_t) noexcept __asm__("cpudev_check_memset");
}
#endif
#endif
