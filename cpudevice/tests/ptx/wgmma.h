/* wgmma.h: products for cpudevice/tests/ptx/ptx_wgmma.cu: WGMMA(kind, d, n, text): kind says what A and B are filled with, d how many
 * bytes an element of D has. Of the operands %0 to %127 are D, %128 and %129 the descriptors of A and B, %130 to %133 A's
 * registers, %134 the metadata, p scale-d.
 *
 * Every n of bf16, then each type at its ends and between. */
#define BF16_N(n, list) WGMMA(brains, 4, n, "wgmma.mma_async.sync.aligned.m64n" #n "k16.f32.bf16.bf16 {" list "}, %128, %129, p, 1, 1, 0, 0;")
BF16_N(8, R4)
BF16_N(16, R8)
BF16_N(24, R12)
BF16_N(32, R16)
BF16_N(40, R20)
BF16_N(48, R24)
BF16_N(56, R28)
BF16_N(64, R32)
BF16_N(72, R36)
BF16_N(80, R40)
BF16_N(88, R44)
BF16_N(96, R48)
BF16_N(104, R52)
BF16_N(112, R56)
BF16_N(120, R60)
BF16_N(128, R64)
BF16_N(136, R68)
BF16_N(144, R72)
BF16_N(152, R76)
BF16_N(160, R80)
BF16_N(168, R84)
BF16_N(176, R88)
BF16_N(184, R92)
BF16_N(192, R96)
BF16_N(200, R100)
BF16_N(208, R104)
BF16_N(216, R108)
BF16_N(224, R112)
BF16_N(232, R116)
BF16_N(240, R120)
BF16_N(248, R124)
BF16_N(256, R128)
/* transposes, signs, A from registers: bf16 and f16 */
#define HALVES(kind, type, tail_shared, tail_registers)                                                                      \
    WGMMA(kind, 4, 64, "wgmma.mma_async.sync.aligned.m64n64k16.f32." type " {" R32 "}, %128, %129, p, " tail_shared ";")   \
    WGMMA(kind, 4, 24, "wgmma.mma_async.sync.aligned.m64n24k16.f32." type " {" R12 "}, {%130, %131, %132, %133}, %129, p, " tail_registers ";")
HALVES(brains, "bf16.bf16", "1, 1, 1, 0", "1, 1, 1")
HALVES(brains, "bf16.bf16", "1, 1, 0, 1", "-1, 1, 0")
HALVES(brains, "bf16.bf16", "1, 1, 1, 1", "1, -1, 1")
HALVES(brains, "bf16.bf16", "-1, 1, 0, 0", "-1, -1, 0")
HALVES(halves, "f16.f16", "1, 1, 0, 0", "1, 1, 0")
HALVES(halves, "f16.f16", "1, 1, 1, 0", "1, 1, 1")
HALVES(halves, "f16.f16", "1, 1, 0, 1", "-1, 1, 0")
HALVES(halves, "f16.f16", "1, -1, 1, 1", "1, -1, 1")
#define HALF_SUMS(n, list) WGMMA(halves, 2, n, "wgmma.mma_async.sync.aligned.m64n" #n "k16.f16.f16.f16 {" list "}, %128, %129, p, 1, 1, 0, 0;")
HALF_SUMS(8, "%0, %1")
HALF_SUMS(16, R4)
HALF_SUMS(64, R16)
HALF_SUMS(256, R64)
/* the other types */
#define OTHER(kind, d, n, list, type, k, tail)                                                                         \
    WGMMA(kind, d, n, "wgmma.mma_async.sync.aligned.m64n" #n "k" #k "." type " {" list "}, %128, %129, p" tail ";")     \
    WGMMA(kind, d, n, "wgmma.mma_async.sync.aligned.m64n" #n "k" #k "." type " {" list "}, {%130, %131, %132, %133}, %129, p" tail ";")
#define OTHERS(kind, type, k, tail)                                                                                    \
    OTHER(kind, 4, 8, R4, type, k, tail)                                                                               \
    OTHER(kind, 4, 96, R48, type, k, tail)                                                                             \
    OTHER(kind, 4, 256, R128, type, k, tail)
OTHERS(words, "f32.tf32.tf32", 8, ", 1, 1")
OTHERS(words, "f32.tf32.tf32", 8, ", -1, 1")
OTHERS(bytes, "f32.e4m3.e4m3", 32, ", 1, 1")
OTHERS(bytes, "f32.e4m3.e5m2", 32, ", 1, 1")
OTHERS(bytes, "f32.e5m2.e4m3", 32, ", 1, -1")
OTHERS(bytes, "f32.e5m2.e5m2", 32, ", 1, 1")
OTHER(bytes, 2, 64, R16, "f16.e4m3.e4m3", 32, ", 1, 1")
OTHERS(integers, "s32.s8.s8", 32, "")
OTHERS(integers, "s32.s8.u8", 32, "")
OTHERS(integers, "s32.u8.s8", 32, "")
OTHERS(integers, "s32.u8.u8", 32, "")
OTHER(integers, 4, 8, R4, "s32.s8.s8.satfinite", 32, "")
OTHERS(bits, "s32.b1.b1.and.popc", 256, "")
/* sparse */
#define SPARSE(kind, d, n, list, type, k, tail, selector)                                                              \
    WGMMA(kind, d, n, "wgmma.mma_async.sp.sync.aligned.m64n" #n "k" #k "." type " {" list "}, %128, %129, %134, " #selector ", p" tail ";") \
    WGMMA(kind, d, n, "wgmma.mma_async.sp.sync.aligned.m64n" #n "k" #k "." type " {" list "}, {%130, %131, %132, %133}, %129, %134, " #selector ", p" tail ";")
#define SPARSES(kind, type, k, tail, selector)                                                                         \
    SPARSE(kind, 4, 8, R4, type, k, tail, selector)                                                                    \
    SPARSE(kind, 4, 128, R64, type, k, tail, selector)
#define SPARSE_HALVES(kind, type, selector, tail)                                                                            \
    WGMMA(kind, 4, 64, "wgmma.mma_async.sp.sync.aligned.m64n64k32.f32." type " {" R32 "}, %128, %129, %134, " #selector ", p, " tail ";")
SPARSE_HALVES(brains, "bf16.bf16", 0, "1, 1, 0, 0")
SPARSE_HALVES(brains, "bf16.bf16", 1, "1, 1, 0, 0")
SPARSE_HALVES(brains, "bf16.bf16", 0, "1, 1, 1, 0")
SPARSE_HALVES(halves, "f16.f16", 1, "1, 1, 0, 1")
SPARSE_HALVES(halves, "f16.f16", 0, "-1, 1, 1, 1")
WGMMA(brains, 4, 64, "wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.bf16.bf16 {" R32 "}, {%130, %131, %132, %133}, %129, %134, 1, p, 1, 1, 1;")
SPARSES(words, "f32.tf32.tf32", 16, ", 1, 1", 0)
SPARSES(words, "f32.tf32.tf32", 16, ", 1, 1", 1)
SPARSES(bytes, "f32.e4m3.e5m2", 64, ", 1, 1", 0)
SPARSES(integers, "s32.s8.u8", 64, "", 0)
#undef BF16_N
#undef HALVES
#undef HALF_SUMS
#undef OTHER
#undef OTHERS
#undef SPARSE
#undef SPARSES
#undef SPARSE_HALVES
