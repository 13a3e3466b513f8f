// TEST: a character where asm wants a string is the compiler's error, and ends nothing
// RUN: $cucc -c -o $work/o.o $case
// STATUS: 1
// MATCHES: character.cu:{line asm}:.*error: expected
// LACKS: signal
__global__ void k(int *p)
{
    asm('x' : "=r"(*p));
}
