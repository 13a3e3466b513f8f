/* assert.h: the C library's, except that a failed assertion in a kernel fails the launch (cudaErrorAssert). */
#include_next <assert.h>
#ifndef NDEBUG
#ifdef __cplusplus
extern "C"
#endif
    void
    cpudev_assert_fail(const char *expression, const char *file, unsigned line, const char *function)
        __attribute__((noreturn));
#undef assert
#ifdef __cplusplus
#define assert(expression)                                                                                             \
    (static_cast<bool>(expression) ? void(0) : cpudev_assert_fail(#expression, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#else
#define assert(expression) ((expression) ? (void)0 : cpudev_assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif
#endif
