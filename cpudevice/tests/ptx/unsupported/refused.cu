// What ptxas refuses is refused when compiled, at its line.
// TEST: a fused product without rounding
// RUN: $cucc -DFMA -o $exe $case
// STATUS: 1
// SAYS: refused.cu:{line fma.f32}: error: Rounding modifier required for instruction 'fma'
// TEST: a register that is too narrow
// RUN: $cucc -DMOV -o $exe $case
// STATUS: 1
// SAYS: refused.cu:{line mov.u64}: error: Arguments mismatch for instruction 'mov'
// TEST: a root without rounding
// RUN: $cucc -DROOT -o $exe $case
// STATUS: 1
// SAYS: refused.cu:{line sqrt.f64}: error: Rounding modifier required for instruction 'sqrt'
// TEST: what ptxas takes
// RUN: $cucc -o $exe $case && $exe
// MATCHES: ^12 3$
#include <cstdio>
__global__ void k(float *f, unsigned *u)
{
    float g = 3;
    double d = 9;
#ifdef FMA
    asm("fma.f32 %0, %0, %0, %0;" : "+f"(g));
#elif defined ROOT
    asm("sqrt.f64 %0, %0;" : "+d"(d));
#else
    asm("fma.rn.f32 %0, %0, %0, %0;" : "+f"(g));
    asm("sqrt.rn.f64 %0, %0;" : "+d"(d));
#endif
#ifdef MOV
    asm("mov.u64 %0, %1;" : "=r"(u[0]) : "r"(3));
#else
    asm("{ .reg .u64 wide; mov.u64 wide, 7; cvt.u32.u64 %0, wide; }" : "=r"(u[0]));
#endif
    f[0] = g, u[0] = (unsigned)d;
}
int main()
{
    float *f;
    unsigned *u;
    cudaMallocManaged(&f, sizeof *f);
    cudaMallocManaged(&u, sizeof *u);
    k<<<1, 1>>>(f, u);
    cudaDeviceSynchronize();
    printf("%g %u\n", f[0], u[0]);
    return 0;
}
