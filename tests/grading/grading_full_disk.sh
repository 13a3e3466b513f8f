#!/bin/sh
# grading_full_disk.sh [DEVICE]: on a disk that is full tools/grade, cucc and the programs that it makes say so; no answer is failed,
# and what could not be graded is graded when there is room again. The disk is a tmpfs of a few KB.
# shellcheck source=/dev/null
. "$(dirname "$0")/../harness/sandbox.sh"
needs_sandbox "${1:-cpu}" "a full disk" \
    bwrap --bind / / --unshare-user --size 4096 --tmpfs /tmp bwrap --unshare-all --ro-bind / / true
disk=$work/disk place=lecture03_cuda_basics/exercises/ex01_index.cu
named='grep -q "No space left on device\|disk is full" "$work/said"'

mkdir -p "$work/honest/${place%/*}"
grep -v 'TODO(ex\|>>> answer\|<<< answer\|// stub:' solutions/lecture03_cuda_basics/ex01_index.cu >"$work/honest/$place"
tools/grade -o "$work/grades" -e 3.1 "$work/honest" >"$work/said" 2>&1
is "with room it passes" 'grep -q "1 passed" "$work/said"'
on_disk 4096 "tools/grade -o $disk/grades -e 3.1 $work/honest"
is "no room for the reports: the grader says so" '[ $status = 1 ] && '"$named"
on_disk 65536 "tools/grade -o $disk/grades -e 3.1 $work/honest; cp -r $disk/grades $work/later"
is "no room for the program: not graded, and the cause is named" 'grep -q "0 failed.* 1 not graded" "$work/said" && '"$named"
is "the student's report says so too" 'grep -q ": not graded" "$work/later/students/honest.txt" && ! grep -q ": failed" "$work/later/students/honest.txt"'
tools/grade -o "$work/later" -e 3.1 "$work/honest" >"$work/said" 2>&1
is "with room again it is graded, and passes" 'grep -q "1 passed" "$work/said"'
bwrap --bind / / --dev-bind /dev /dev --proc /proc --size 65536 --tmpfs "$PWD/build" --chdir "$PWD" tools/grade -e 3.1 "$work/honest" >"$work/said" 2>&1
status=$?
is "no room in build: the grader's own compiler says so" '[ $status != 0 ] && '"$named"

cat >"$work/hello.cu" <<'END'
#include <cstdio>
__global__ void hello(float *x) { x[threadIdx.x] = 1; }
int main()
{
    float *x;
    cudaMalloc(&x, 128);
    hello<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
END
on_disk 65536 "cpudevice/cucc --check -o $disk/hello $work/hello.cu"
is "cucc: no room for the program" '[ $status != 0 ] && '"$named"
cpudevice/cucc --check -o "$work/hello" "$work/hello.cu" >"$work/said" 2>&1
for file in REPORT COUNTERS COUNTER_LINES VIEW; do
    on_disk 4096 "head -c 4096 /dev/zero >$disk/zeros; CUDA_CPU_TOOLS=memcheck,counters CUDA_CPU_$file=$disk/file $work/hello"
    is "CUDA_CPU_$file: no room for it" 'grep -q "CUDA_CPU_$file: cannot write .*: No space left on device" "$work/said"'
done
# g++ names the file that it cannot write; under ccache with an errno that something else has left.
named="$named || "'grep -q "when writing output to .*$disk" "$work/said"'
for size in 4096 65536 262144 1048576 2097152; do
    on_disk $size "TMPDIR=$disk cpudevice/cucc --check -g -o $work/hello $work/hello.cu"
    is "cucc: no room for its own files in $size bytes" '[ $status = 1 ] && { '"$named"'; }'
done
end_tests
