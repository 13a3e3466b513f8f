#!/bin/sh
# CMake with cucc as its CUDA compiler: identification, separable compilation, a toolkit that find_package() finds.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP CMake: for the CPU device"; exit 0; }
command -v cmake >/dev/null || { echo "ok # SKIP CMake is not here (apt-get install cmake)"; exit 0; }
. cpudevice/tests/harness/result.sh
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(squares LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
message(STATUS "toolkit: ${CUDAToolkit_INCLUDE_DIRS}")
add_library(kernels STATIC kernels.cu)
set_target_properties(kernels PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_ARCHITECTURES native)
add_executable(squares main.cu)
target_link_libraries(squares PRIVATE kernels)
set_target_properties(squares PROPERTIES CUDA_ARCHITECTURES "80;90")
add_executable(host host.cpp)
target_link_libraries(host PRIVATE CUDA::cudart)
add_executable(modules modules.cu)
target_link_libraries(modules PRIVATE cuda)
END
cat >"$work/kernels.cu" <<'END'
__global__ void square(int *a) { a[threadIdx.x] = threadIdx.x * threadIdx.x; }
void run(int *a) { square<<<1, 32>>>(a); }
END
cat >"$work/main.cu" <<'END'
void run(int *);
int main()
{
    int *a;
    if (cudaMallocManaged(&a, 32 * sizeof *a))
        return 2;
    run(a);
    return cudaDeviceSynchronize() || a[31] != 31 * 31;
}
END
cat >"$work/host.cpp" <<'END'
#include <cuda_runtime.h>
int main()
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) || devices < 1;
}
END
cp cpudevice/tests/runtime/driver_api/main.cu "$work/modules.cu"
here=$(pwd -P)
cmake -S "$work" -B "$work/build" -DCMAKE_CUDA_COMPILER="$here/cpudevice/toolkit/bin/nvcc" >"$work/log" 2>&1
result $? "a project in CUDA is configured"
grep -q "toolkit: $here/cpudevice/toolkit/include" "$work/log"
result $? "find_package(CUDAToolkit) finds cpudevice/toolkit"
cmake --build "$work/build" >"$work/log" 2>&1
result $? "it is built"
for program in squares host; do
    "$work/build/$program" >"$work/log" 2>&1
    result $? "$program runs"
done
cpudevice/cucc -cubin -O1 -o "$work/kernels.cubin" cpudevice/tests/runtime/driver_api/kernels.cu >"$work/log" 2>&1 &&
    "$work/build/modules" "$work/kernels.cubin" >"$work/log" 2>&1
result $? "a program that CMake links with libcuda loads a module"
exit $failed
