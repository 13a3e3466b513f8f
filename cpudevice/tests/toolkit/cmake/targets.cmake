# Each of CMake's CUDA:: targets that the CPU device has, linked with a call of its library in C++ and in CUDA C++.
# BUILD: command -v cmake >/dev/null || { echo "cmake: CMake is not here (apt-get install cmake)"; exit 1; }
# BUILD: cp $case $work/CMakeLists.txt; cp $folder/target.h $work
# SKIPS: CMake is not here
# TEST: CUDA:: targets are found, and link from .cu and .cpp
# RUN: cmake -S $work -B $work/build -DCMAKE_CUDA_COMPILER=$(pwd -P)/cpudevice/toolkit/bin/nvcc
# RUN: cmake --build $work/build
# TEST: their programs run
# RUN: n=0; for program in $work/build/*_cpp $work/build/*_cu; do $program || { echo "$program failed"; exit 1; }; n=$((n + 1)); done; [ $n = 34 ]
cmake_minimum_required(VERSION 3.18)
project(targets LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
foreach(target cudart cudart_static cuda_driver cublas cublasLt curand cufft cusolver cusparse nvrtc nvml
        cublas_static cublasLt_static curand_static cufft_static cusolver_static cusparse_static)
    if(NOT TARGET CUDA::${target})
        message(SEND_ERROR "no CUDA::${target}")
        continue()
    endif()
    get_target_property(type CUDA::${target} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY") # as before CMake 3.19, which refuses to say another property
        get_target_property(file CUDA::${target} INTERFACE_LINK_LIBRARIES)
    else()
        get_target_property(file CUDA::${target} IMPORTED_LOCATION)
    endif()
    if(NOT file MATCHES "/toolkit/lib64/|/build/cpu/") # a machine may have another toolkit
        message(SEND_ERROR "CUDA::${target} is ${file}")
    endif()
    string(REPLACE _static "" library ${target})
    foreach(suffix cpp cu)
        file(WRITE ${CMAKE_BINARY_DIR}/${target}.${suffix} "#define TARGET_${library}\n#include \"${CMAKE_SOURCE_DIR}/target.h\"\n")
        add_executable(${target}_${suffix} ${CMAKE_BINARY_DIR}/${target}.${suffix})
        target_link_libraries(${target}_${suffix} PRIVATE CUDA::${target} CUDA::cudart)
        set_target_properties(${target}_${suffix} PROPERTIES CUDA_ARCHITECTURES 90)
    endforeach()
endforeach()
