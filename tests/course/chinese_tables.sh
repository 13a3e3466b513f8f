#!/bin/sh
# chinese_tables.sh DEVICE: the counters' table and the model's report of one kernel, in both languages: columns are below
# each other where a Chinese character takes two, and what programs read is English.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
if [ "${1:-cpu}" != cpu ]; then
    echo "ok # SKIP what is counted and modelled: for the CPU device"
    exit 0
fi
. cpudevice/tests/harness/is.sh

cat >"$out/half.cu" <<'END'
#include <cuda_runtime.h>
__global__ void half_of_it(const float *x, float *y) { y[threadIdx.x] = x[8 * threadIdx.x]; }
int main()
{
    float *x;
    cudaMalloc(&x, 4096);
    cudaMemset(x, 0, 4096);
    half_of_it<<<1, 32>>>(x, x + 512);
    return cudaDeviceSynchronize();
}
END
make -s DEVICE=cpu build/cpu/libcudacpu.a && cpudevice/cucc --check -O1 -o "$out/half" "$out/half.cu" || { echo "not ok it builds"; exit 1; }
export CUDA_CPU_TOOLS=counters
is 0 '  line                         access             requests      sectors  per req.  ideal  lanes  bank confl.$' "columns in English" "$out/half"
is 0 '  half.cu:2                    global load               1           32     32.00' "a row in English" "$out/half"
is 0 '  行                           访问                   请求         扇区    每请求   理想   线程   存储体冲突$' "columns in Chinese" env COURSE_LANG=zh "$out/half"
is 0 '  half.cu:2                    全局加载                  1           32     32.00' "a row in Chinese" env COURSE_LANG=zh "$out/half"
is 0 '"[^"]*",[^,]*,global load,1,32,' "a CSV by line in English" env COURSE_LANG=zh CUDA_CPU_COUNTER_LINES=/dev/stdout "$out/half"

export CUDA_CPU_TOOLS= CUDA_CPU_MODEL=h100
is 0 '1 launch: about [0-9.]* us cold (.*), [0-9.]* us warm; what limits: launch; occupancy [0-9]* %$' "a time in English" "$out/half"
is 0 '，1 次启动：冷启动约 [0-9.]* us（.*），热启动 [0-9.]* us；限制因素：启动；占用率 [0-9]* %$' "a time in Chinese" env COURSE_LANG=zh "$out/half"
is 0 '      launch  *[0-9.]* us  #' "a part in English" "$out/half"
is 0 '      启动           [0-9]\.[0-9]* us  #' "a part in Chinese" env COURSE_LANG=zh "$out/half"
is 2 'CUDA_CPU_MODEL：没有芯片“none”；有 .*，或者由' "no such chip" env COURSE_LANG=zh CUDA_CPU_MODEL=none "$out/half"
