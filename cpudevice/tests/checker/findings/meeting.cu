// Two blocks that `cucc --check` checks in bulk write one row at the same moment: each has looked at what is on record and
// found nothing, and only then either puts its row there. The program makes the two wait for each other between the two
// steps (cpudev_region_plain(), which follows the look). The race must be reported each time. On a busy machine the device
// may start one more thread, which checks its first blocks one by one; if one of the two is its, they cannot meet, and the
// kernel is launched again.
// BUILD: $cc -O2 -c -o $work/meeting.o $folder/meeting.c # which has no callbacks
// BUILD: $cucc --check -O2 -Xlinker --wrap=cpudev_region_plain -o $exe $case $work/meeting.o
// TEST: blocks that meet: round 1, no rows between the last ones
// RUN: CUDA_CPU_WORKERS=2 timeout 120 $exe 0
// STATUS: 99
// SAYS: met 2
// SAYS: meeting.cu:{line written by both}
// TEST: blocks that meet: round 1, 1 row between the last ones
// RUN: CUDA_CPU_WORKERS=2 timeout 120 $exe 1
// SAYS: met 1
// TEST: blocks that meet: round 2, no rows between the last ones
// RUN: CUDA_CPU_WORKERS=2 timeout 120 $exe 0
// STATUS: 99
// SAYS: met 2
// SAYS: meeting.cu:{line written by both}
// TEST: blocks that meet: round 2, 1 row between the last ones
// RUN: CUDA_CPU_WORKERS=2 timeout 120 $exe 1
// SAYS: met 1
// TEST: blocks that meet: round 3, no rows between the last ones
// RUN: CUDA_CPU_WORKERS=2 timeout 120 $exe 0
// STATUS: 99
// SAYS: met 2
// SAYS: meeting.cu:{line written by both}
// TEST: blocks that meet: round 3, 1 row between the last ones
// RUN: CUDA_CPU_WORKERS=2 timeout 120 $exe 1
// SAYS: met 1
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { N = 256, STEPS = 64 };

extern "C" void meeting_expected(const void *row, int others); /* meeting.c */
extern "C" int meeting_met(void);

// Two sides that come nearer with each step; in the last one, both write the row between them, unless they stay apart.
__global__ void sides(float *y, int far)
{
    int row = far * blockIdx.x + (1 - 2 * (int)blockIdx.x) * (int)blockIdx.y;
    y[row * N + threadIdx.x] = blockIdx.x + 1; // written by both
}

int main(int argc, char **argv)
{
    int apart = argc > 1 && atoi(argv[1]), far = 2 * STEPS - 2 + apart, expected = apart ? 1 : 2;
    float *y;
    if (cudaMalloc(&y, (far + 1) * N * sizeof *y))
        return 1;
    for (int i = 0; i < 10 && meeting_met() < expected; i++) {
        meeting_expected(y + (STEPS - 1) * N, expected);
        sides<<<dim3(2, STEPS), N>>>(y, far);
        if (cudaDeviceSynchronize())
            return 1;
    }
    printf("met %d\n", meeting_met());
    cudaFree(y);
}
