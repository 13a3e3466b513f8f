/* flush.h: the processor takes and gives subnormal numbers as 0, of float and double, as -ftz=true asks of a kernel whose
 * file has no double. */
#ifndef CPUDEV_EXEC_FLUSH_H
#define CPUDEV_EXEC_FLUSH_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#define FLUSH_BITS 0x8040u /* of MXCSR: flush to zero, denormals are zero */
static inline uintptr_t float_control(void) { return __builtin_ia32_stmxcsr(); }
static inline void set_float_control(uintptr_t control) { __builtin_ia32_ldmxcsr((unsigned)control); }
#elif defined(__aarch64__)
#define FLUSH_BITS (1u << 24) /* of FPCR: FZ */
static inline uintptr_t float_control(void)
{
    uint64_t control;
    __asm__ volatile("mrs\t%0, fpcr" : "=r"(control));
    return control;
}
static inline void set_float_control(uintptr_t control)
{
    __asm__ volatile("msr\tfpcr, %0" : : "r"(control) : "memory");
}
#else                         /* cucc-compile says that -ftz is not obeyed (analysis/flush.c) */
#define FLUSH_BITS 0u
static inline uintptr_t float_control(void) { return 0; }
static inline void set_float_control(uintptr_t control) { (void)control; }
#endif

/* What was before is for set_float_control() afterwards. */
static inline uintptr_t set_flush(bool flush)
{
    const uintptr_t before = float_control();
    set_float_control(flush ? before | FLUSH_BITS : before & ~(uintptr_t)FLUSH_BITS);
    return before;
}

#endif
