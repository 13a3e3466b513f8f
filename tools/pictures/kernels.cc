/* kernels.cc: the labs' own kernels, taken from their files by tools/pictures.sh, as ordinary functions. See replay.h.
 */
#include "kernels.h"

#include <math.h>

#include "shim.h"

#undef __shared__
#define __shared__ static __attribute__((section("shared_arrays"), aligned(128)))

extern "C" {
extern char __start_shared_arrays[], __stop_shared_arrays[];
__attribute__((section("shared_arrays"), used)) char shared_first[128];
const void *shared_begin(void) { return __start_shared_arrays; }
unsigned long shared_bytes(void) { return (unsigned long)(__stop_shared_arrays - __start_shared_arrays); }
}

#define ARGUMENTS(a) const KernelArguments *a = (const KernelArguments *)arguments
#define FLOATS(a, i) ((float *)a->p[i])

namespace add
{
#include "add.inc"
}
namespace square
{
#include "square.inc"
}
namespace naive
{
#include "naive.inc"
}
namespace counted
{
#include "counted.inc"
}

extern "C" {
void call_add3(void *arguments)
{
    ARGUMENTS(a);
    add::add_kernel3((size_t)a->n[0], FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2));
}
void call_add4(void *arguments)
{
    ARGUMENTS(a);
    add::add_kernel4((size_t)a->n[0], FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2));
}
void call_square1(void *arguments)
{
    ARGUMENTS(a);
    square::square_kernel1(FLOATS(a, 0), FLOATS(a, 1), a->n[0], a->n[1]);
}
void call_square2(void *arguments)
{
    ARGUMENTS(a);
    square::square_kernel2(FLOATS(a, 0), FLOATS(a, 1), a->n[0], a->n[1]);
}
void call_square4(void *arguments)
{
    ARGUMENTS(a);
    square::square_kernel4((float4 *)a->p[0], (float4 *)a->p[1], a->n[0], a->n[1] / 4);
}
void call_matmul_naive1(void *arguments)
{
    ARGUMENTS(a);
    naive::matmul_kernel1(FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2), a->n[0], a->n[1], a->n[2]);
}
void call_matmul_naive2(void *arguments)
{
    ARGUMENTS(a);
    naive::matmul_kernel2(FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2), a->n[0], a->n[1], a->n[2]);
}
void call_stride1(void *arguments)
{
    ARGUMENTS(a);
    counted::copy_stride1(FLOATS(a, 1), FLOATS(a, 0));
}
void call_stride2(void *arguments)
{
    ARGUMENTS(a);
    counted::copy_stride2(FLOATS(a, 1), FLOATS(a, 0));
}
void call_stride8(void *arguments)
{
    ARGUMENTS(a);
    counted::copy_stride8(FLOATS(a, 1), FLOATS(a, 0));
}
void call_offset1(void *arguments)
{
    ARGUMENTS(a);
    counted::copy_offset1(FLOATS(a, 1), FLOATS(a, 0));
}
}
