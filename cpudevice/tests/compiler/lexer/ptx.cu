// TEST: unknown PTX is refused by name
// RUN: $cucc -c -o $work/ptx.o $case
// STATUS: 1
// SAYS: ptx.cu:{line asm volatile}: error: the PTX instruction tcgen05.alloc.b32 is not supported
__global__ void k(int *p)
{
    int x;
    asm volatile("tcgen05.alloc.b32 %0, %1;" : "=r"(x) : "r"(3));
    *p = x;
}
int main() {}
