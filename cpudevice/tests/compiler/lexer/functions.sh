# functions.sh (make check does not run this): for the cases here.
# shellcheck shell=sh
any_device=yes here=$PWD/$folder
flags="-O3 -std=c++17 -arch=sm_90 -gencode arch=compute_80,code=sm_80 -rdc=true -lineinfo -Xptxas -v --expt-relaxed-constexpr \
    -Xcompiler -Wall,-Wextra -use_fast_math -DVALUE=2 -I$here"

# Two drivers compile at once, with a driver, a compiler and a runtime that neither finds built. Of their objects a room each is
# to be compiled, without optimization; the others are copies, for all of them would take 15 seconds.
two_builders() {
    $cucc --build && mkdir "$work/fresh"
    (cd "${CUCC_BUILD:-build/cpu}" && cp -p built_for "$work/fresh" &&
        mkdir "$work/fresh/objects" && cp -rp objects/cucc-compile objects/libcudacpu.a "$work/fresh/objects")
    rm "$work"/fresh/objects/cucc-compile/compiler/verify-*.o "$work"/fresh/objects/libcudacpu.a/runtime/launch-*.o
    export CUCC_BUILD="$work/fresh" CUCC_RUNTIME_FLAGS=-O0
    $cucc $flags '-DTEXT="a b"' -c -o "$work/one.o" "$folder/main.cu" & first=$!
    $cucc $flags -c -o "$work/two.o" "$folder/part.cu"
    wait $first
    [ -s "$work/one.o" ] && [ -s "$work/two.o" ]
}

# All our headers, by their #include, but those whose first lines refuse them (the CPU device lacks the library), parts that come
# with others, and where OpenGL's header is not installed the one that includes it.
every_header() {
    without=
    echo '#include <GL/gl.h>' | ${CUCC_CXX:-g++} -E -x c++ - >/dev/null 2>&1 || without=cuda_gl_interop.h
    find cpudevice/include -type f ! -name 'cpudev_*' ! -name 'cublas_[fgl]*' ! -path '*/crt/*' ! -path '*/nvtx3/*/*' ! -path '*/cuda/*/*' ! -name "$without" |
        sort | while read -r header; do
        sed 3q "$header" | grep -q '^#error' || echo "#include <${header#cpudevice/include/}>"
    done
}
