// A kernel that nobody waits for, at the program's end: a note, which names the launch; none once any call has waited.
// BUILD: $cucc --check -o $exe $case
// TEST: a kernel that was not waited for
// RUN: CUDA_CPU_TOOLS=hostcheck $exe
// MATCHES: ^hostcheck (note): the program ends without having waited for hello()$
// MATCHES: at .*hello.cu:{line hello<<<}$
// TEST: a kernel that was waited for
// RUN: $exe waits
// LACKS: note
#include <cstdio>
__global__ void hello() { printf("hello\n"); }
int main(int argc, char **argv)
{
	hello<<<1, 1>>>();
	if (argc > 1) cudaDeviceSynchronize();
}
