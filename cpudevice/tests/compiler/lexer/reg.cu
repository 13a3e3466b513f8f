// TEST: registers of inline PTX that nobody reads give no warning
// RUN: $cucc -Wall -Wextra -Werror -o $exe $case
__global__ void k(unsigned *x)
{
    unsigned r = 0;
    asm volatile("{ .reg .pred p; .reg .u32 a; setp.eq.u32 p, %1, 0; mov.u32 a, %1; mov.u32 %0, 1; }" : "=r"(r) : "r"(x[0]));
    x[0] = r;
}
int main() { return 0; }
