#!/bin/sh
# Two blocks that `cucc --check` checks in bulk write one row at the same moment: each has looked at what is on record and
# found nothing, and only then either puts its row there. The program makes the two wait for each other between the two
# steps (cpudev_region_plain(), which follows the look). The race must be told each time.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP meeting: for the CPU device"; exit 0; }
out=build/cpu/tests/check_meeting
mkdir -p "$out"
cat >"$out/meeting.cu" <<'END_OF_PROGRAM'
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
    int apart = argc > 1 && atoi(argv[1]), far = 2 * STEPS - 2 + apart;
    float *y;
    if (cudaMalloc(&y, (far + 1) * N * sizeof *y))
        return 1;
    meeting_expected(y + (STEPS - 1) * N, apart ? 1 : 2);
    sides<<<dim3(2, STEPS), N>>>(y, far);
    if (cudaDeviceSynchronize())
        return 1;
    printf("met %d\n", meeting_met());
    cudaFree(y);
}
END_OF_PROGRAM
cat >"$out/meeting.c" <<'END_OF_PROGRAM' # which has no callbacks
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static uintptr_t row;
static int expected;
static atomic_int in_bulk, at_the_row, met;

void meeting_expected(const void *r, int blocks);
int meeting_met(void);
unsigned long *cpudev_region_addresses(void);
int __real_cpudev_region_plain(void *region);
int __wrap_cpudev_region_plain(void *region);

void meeting_expected(const void *r, int blocks)
{
    row = (uintptr_t)r;
    expected = blocks;
}

int meeting_met(void) { return met; }

/* Until n are there, or a minute has passed. */
static bool wait_for(atomic_int *count, int n)
{
    for (time_t end = time(NULL) + 60; *count < n && time(NULL) < end;)
        usleep(20);
    return *count >= n;
}

int __wrap_cpudev_region_plain(void *region)
{
    static _Thread_local bool known;
    if (!known) { /* neither thread goes on before both run blocks in bulk */
        known = true;
        in_bulk++;
        wait_for(&in_bulk, 2);
    }
    if (cpudev_region_addresses()[0] == row) {
        at_the_row++;
        met += wait_for(&at_the_row, expected);
    }
    return __real_cpudev_region_plain(region);
}
END_OF_PROGRAM
${CC:-gcc} -O2 -c -o "$out/meeting.o" "$out/meeting.c" && cpudevice/cucc --check -O2 -Xlinker --wrap=cpudev_region_plain -o "$out/meeting" "$out/meeting.cu" "$out/meeting.o" || { echo "not ok meeting: it does not build"; exit 1; }
status=0
for round in 1 2 3; do
	for apart in 0 1; do
		CUDA_CPU_WORKERS=2 timeout 120 "$out/meeting" $apart >"$out/log" 2>&1
		code=$?
		if grep -q "met $((2 - apart))" "$out/log" && [ $code = $((apart ? 0 : 99)) ] &&
			{ [ $apart = 1 ] || grep -q 'meeting.cu:14' "$out/log"; }; then
			echo "ok meeting: round $round, $apart rows between the last ones"
		else
			echo "not ok meeting: round $round, $apart rows between the last ones: status $code"
			sed 's/^/# /' "$out/log"
			status=1
		fi
	done
done
exit $status
