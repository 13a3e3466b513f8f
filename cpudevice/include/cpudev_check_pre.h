// Read first by every file under `cucc --check`: calls of memcpy, malloc and their like in
// the student's code go to versions that check them.
#ifndef CPUDEV_CHECK_PRE_H
#define CPUDEV_CHECK_PRE_H
#undef _FORTIFY_SOURCE // its memcpy() and memset() would not go there
#if !defined(__SANITIZE_THREAD__) && defined(__has_feature)
#if __has_feature(thread_sanitizer) // all that older versions of clang say
#define __SANITIZE_THREAD__ 1
#endif
#endif
#ifdef __cplusplus
extern "C" { // before the C library's own declarations: clang takes no other name after them
void *memcpy(void *__restrict, const void *__restrict, __SIZE_TYPE__) noexcept __asm__("cpudev_check_memcpy");
void *memmove(void *, const void *, __SIZE_TYPE__) noexcept __asm__("cpudev_check_memmove");
void *malloc(__SIZE_TYPE__) noexcept __asm__("cpudev_check_malloc");
void free(void *) noexcept __asm__("cpudev_check_free");
void *calloc(__SIZE_TYPE__, __SIZE_TYPE__) noexcept __asm__("cpudev_check_calloc");
void *realloc(void *, __SIZE_TYPE__) noexcept __asm__("cpudev_check_realloc");
void *memset(void *, int, __SIZE_TYPE__) noexcept __asm__("cpudev_check_memset");
}
#if defined(__clang__) &&                                                                                              \
    __clang_major__ < 16 // in place of the structs' copies that clang watches it puts in calls of these
__asm__(".set memcpy, cpudev_check_memcpy\n.set memmove, cpudev_check_memmove\n.set memset, cpudev_check_memset");
#endif
// The library's functions with results behind pointers, whatever name C++ has for them.
__asm__(".set frexp, cpudev_check_frexp\n.set frexpf, cpudev_check_frexpf\n.set modf, cpudev_check_modf\n"
        ".set modff, cpudev_check_modff\n.set remquo, cpudev_check_remquo\n.set remquof, cpudev_check_remquof\n"
        ".set sincos, cpudev_check_sincos\n.set sincosf, cpudev_check_sincosf");
#include <stdlib.h>
#include <string.h>
#endif
#endif
