/* cpudev_core.h: how a thread of a block hands over to another: the switch of fibers. */
#ifndef CPUDEV_CORE_H
#define CPUDEV_CORE_H

#include "cpudev_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef CPUDEV_UCONTEXT
void cpudev_switch(cpudev_fiber *from, cpudev_fiber *to);
#elif defined(__x86_64__)
/* Leaves `from`, goes on with `to`.  The compiler saves what is alive, but vector registers 14 and 15, which are saved
 * here: were all of them lost, the compiler would keep a sum that lives across a barrier in memory, in the innermost
 * loop too.  Code that inlines this must be compiled with -mno-red-zone. */
#if defined(__AVX__) /* cucc asks for vectors of at most 256 bits */
#define CPUDEV_KEPT_SAVE "vmovaps %%ymm14, (%%rsp)\n\tvmovaps %%ymm15, 32(%%rsp)\n\t"
#define CPUDEV_KEPT_LOAD "vmovaps (%%rsp), %%ymm14\n\tvmovaps 32(%%rsp), %%ymm15\n\t"
#else
#define CPUDEV_KEPT_SAVE "movaps %%xmm14, (%%rsp)\n\tmovaps %%xmm15, 16(%%rsp)\n\t"
#define CPUDEV_KEPT_LOAD "movaps (%%rsp), %%xmm14\n\tmovaps 16(%%rsp), %%xmm15\n\t"
#endif
#if defined(__AVX512F__)
#define CPUDEV_LOST                                                                                                    \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",      \
        "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define CPUDEV_LOST
#endif
static inline __attribute__((always_inline)) void cpudev_switch(cpudev_fiber *from, cpudev_fiber *to)
{
    __asm__ volatile("pushq %%rbp\n\t"
                     "movq %%rsp, %%rax\n\t"
                     "subq $72, %%rsp\n\t"
                     "andq $-64, %%rsp\n\t"
                     "movq %%rax, 64(%%rsp)\n\t" CPUDEV_KEPT_SAVE "leaq 1f(%%rip), %%rax\n\t"
                     "movq %%rsp, (%%rdi)\n\t"
                     "movq %%rax, 8(%%rdi)\n\t"
                     "movq (%%rsi), %%rsp\n\t"
                     "jmpq *8(%%rsi)\n\t"
                     "1:\n\t" CPUDEV_KEPT_LOAD "movq 64(%%rsp), %%rsp\n\t"
                     "popq %%rbp"
                     : "+D"(from), "+S"(to)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc",
                       "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13" CPUDEV_LOST);
}
#elif defined(__aarch64__)
/* All registers are lost: x18 too, which Linux leaves to the compiler, and SVE's predicates. The place to go on at is a
 * landing pad (hint 38: bti jc), as the program may run with branch target identification; a jump by x16 may enter a
 * function's first instruction as well. */
#if defined(__ARM_FEATURE_SVE)
#define CPUDEV_LOST                                                                                                    \
    , "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15"
#else
#define CPUDEV_LOST
#endif
static inline __attribute__((always_inline)) void cpudev_switch(cpudev_fiber *from, cpudev_fiber *to)
{
    register cpudev_fiber *x0 __asm__("x0") = from;
    register cpudev_fiber *x1 __asm__("x1") = to;
    __asm__ volatile("stp x29, x30, [sp, #-16]!\n\t"
                     "adr x9, 1f\n\t"
                     "mov x10, sp\n\t"
                     "stp x10, x9, [x0]\n\t"
                     "ldp x10, x16, [x1]\n\t"
                     "mov sp, x10\n\t"
                     "br x16\n\t"
                     "1:\n\t"
                     "hint 38\n\t"
                     "ldp x29, x30, [sp], #16"
                     : "+r"(x0), "+r"(x1)
                     :
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
                       "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30",
                       "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12",
                       "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
                       "v27", "v28", "v29", "v30", "v31" CPUDEV_LOST);
}
#else
#define CPUDEV_UCONTEXT 1
void cpudev_switch(cpudev_fiber *from, cpudev_fiber *to);
#endif

#ifdef __cplusplus
}
#endif
#endif
