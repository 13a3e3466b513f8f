// wmma as inline PTX: every type, A and B by rows or columns, with a leading dimension longer than the matrix, from
// global memory. The values are small integers, so that sums are exact.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "conformance.h"

enum { LD = 48 };

#define REGS_1(x) "{" x "0}"
#define REGS_2(x) "{" x "0, " x "1}"
#define REGS_4(x) "{" x "0, " x "1, " x "2, " x "3}"
#define REGS_8(x) "{" x "0, " x "1, " x "2, " x "3, " x "4, " x "5, " x "6, " x "7}"
// d = a b + c by wmma: rows and columns as the layouts say; C by rows, D by columns
#define WMMA(name, reg_ab, reg_c, na, nb, nc, shape, in, acc, types, la, lb, op, sat)                      \
    static __global__ void name(const void *a, const void *b, const void *c, void *d, int ld)                          \
    {                                                                                                                  \
        asm volatile("{ .reg " reg_ab " a<8>, b<8>; .reg " reg_c " c<8>, d<8>;\n"                                      \
                     "wmma.load.a.sync.aligned." la "." shape ".global." in " " REGS_##na("a") ", [%0], %4;\n"         \
                     "wmma.load.b.sync.aligned." lb "." shape ".global." in " " REGS_##nb("b") ", [%1], %4;\n"         \
                     "wmma.load.c.sync.aligned.row." shape ".global." acc " " REGS_##nc("c") ", [%2], %4;\n"           \
                     "wmma.mma" op ".sync.aligned." la "." lb "." shape "." types sat " " REGS_##nc("d") ", "          \
                     REGS_##na("a") ", " REGS_##nb("b") ", " REGS_##nc("c") ";\n"                                      \
                     "wmma.store.d.sync.aligned.col." shape ".global." acc " [%3], " REGS_##nc("d") ", %4; }"          \
                     :                                                                                                 \
                     : "l"(a), "l"(b), "l"(c), "l"(d), "r"(ld)                                                         \
                     : "memory");                                                                                      \
    }
#define B32 ".b32"
#define F32 ".f32"
#define F64 ".f64"
WMMA(half_float, B32, F32, 8, 8, 8, "m16n16k16", "f16", "f32", "f32.f32", "row", "col", "", "")
WMMA(half_turned, B32, F32, 8, 8, 8, "m32n8k16", "f16", "f32", "f32.f32", "col", "row", "", "")
WMMA(half_half, B32, B32, 8, 8, 4, "m8n32k16", "f16", "f16", "f16.f16", "row", "row", "", "")
WMMA(brain, B32, F32, 2, 8, 8, "m8n32k16", "bf16", "f32", "f32.bf16.bf16.f32", "row", "col", "", "")
WMMA(signed_bytes, B32, B32, 2, 2, 8, "m16n16k16", "s8", "s32", "s32.s8.s8.s32", "col", "col", "", "")
WMMA(bytes, B32, B32, 4, 1, 8, "m32n8k16", "u8", "s32", "s32.u8.u8.s32", "row", "row", "", ".satfinite")
WMMA(tensor_floats, B32, F32, 4, 4, 8, "m16n16k8", "tf32", "f32", "f32.tf32.tf32.f32", "col", "row", "", "")
WMMA(doubles, F64, F64, 1, 1, 2, "m8n8k4", "f64", "f64", "f64.f64.f64.f64", "row", "col", "", "")

// What lies where: element (r, c) of A, B, C by number
static int of_a(int r, int k) { return (3 * r + 5 * k) % 8 - (r + k) % 2; }
static int of_b(int k, int c) { return (2 * k + 7 * c) % 6; }
static int of_c(int r, int c) { return 11 * r - c; }

static void put(void *at, int i, int kind, int v)
{
    switch (kind) {
    case 0: ((__half *)at)[i] = __float2half((float)v); break;
    case 1: ((__nv_bfloat16 *)at)[i] = __float2bfloat16((float)v); break;
    case 2: ((signed char *)at)[i] = (signed char)v; break;
    case 3: ((float *)at)[i] = (float)v; break;
    case 4: ((double *)at)[i] = v; break;
    default: ((int *)at)[i] = v;
    }
}
static int take(const void *at, int i, int kind)
{
    return kind == 0 ? (int)__half2float(((const __half *)at)[i])
           : kind == 3 ? (int)((const float *)at)[i]
           : kind == 4 ? (int)((const double *)at)[i]
                       : ((const int *)at)[i];
}

typedef void Kernel(const void *, const void *, const void *, void *, int);
static int wrong(double *room, const char *name, Kernel *kernel, int m, int n, int k, int kind, int acc, bool a_rows,
                 bool b_rows, bool positive, int extra)
{
    double *a = room, *b = a + LD * LD, *c = b + LD * LD, *d = c + LD * LD;
    for (int r = 0; r < m; r++)
        for (int i = 0; i < k; i++)
            put(a, a_rows ? r * LD + i : i * LD + r, kind, of_a(r, i) + (positive ? 1 : 0));
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++)
            put(b, b_rows ? i * LD + j : j * LD + i, kind, of_b(i, j));
    for (int r = 0; r < m; r++)
        for (int j = 0; j < n; j++)
            put(c, r * LD + j, acc, of_c(r, j) + extra);
    kernel<<<1, 32>>>(a, b, c, d, LD);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return printf("%s: it does not run\n", name);
    for (int r = 0; r < m; r++)
        for (int j = 0; j < n; j++) {
            long long sum = (long long)of_c(r, j) + extra;
            for (int i = 0; i < k; i++)
                sum += (of_a(r, i) + (positive ? 1 : 0)) * of_b(i, j);
            if (sum > 0x7fffffff)
                sum = 0x7fffffff;
            if (take(d, j * LD + r, acc) != (int)sum)
                return printf("%s: WRONG (%d, %d): %d, not %lld\n", name, r, j, take(d, j * LD + r, acc), sum);
        }
    return 0;
}
int main()
{
    double *room = (double *)managed(8 * LD * LD);
    const int bad = wrong(room, "half_float", half_float, 16, 16, 16, 0, 3, true, false, false, 0) ||
           wrong(room, "half_turned", half_turned, 32, 8, 16, 0, 3, false, true, false, 0) ||
           wrong(room, "half_half", half_half, 8, 32, 16, 0, 0, true, true, false, 0) ||
           wrong(room, "brain", brain, 8, 32, 16, 1, 3, true, false, false, 0) ||
           wrong(room, "signed_bytes", signed_bytes, 16, 16, 16, 2, 5, false, false, false, 0) ||
           wrong(room, "bytes", bytes, 32, 8, 16, 2, 5, true, true, true, 0x7fffffff - 400) ||
           wrong(room, "tensor_floats", tensor_floats, 16, 16, 8, 3, 3, false, true, false, 0) ||
           wrong(room, "doubles", doubles, 8, 8, 4, 4, 4, true, false, false, 0);
    cudaFree(room);
    return bad;
}
