/* cuprof.cu: what profiler_cuprof.c runs under cuprof, of which it knows nothing: 123 kernels and 4 copies; then, by its
 * argument, it crashes, waits, or prints what it reads. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <csignal>
#include <unistd.h>
__global__ void work(float *x) { x[threadIdx.x] += 1; }
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    float *x, h[32];
    cudaMalloc(&x, 4096);
    for (int i = 0; i < 123; i++)
        work<<<1, 32>>>(x);
    for (int i = 0; i < 4; i++)
        cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    printf("out\n");
    fprintf(stderr, "err\n");
    fflush(stdout);
    if (!strcmp(what, "segv")) { usleep(500000); *(volatile int *)0 = 1; }
    if (!strcmp(what, "abort")) { usleep(500000); abort(); }
    if (!strcmp(what, "kill")) { usleep(800000); raise(SIGKILL); }
    if (!strcmp(what, "wait")) for (;;) pause();
    if (!strcmp(what, "input")) for (int c; (c = getchar()) != EOF;) putchar(c);
    return 9;
}
