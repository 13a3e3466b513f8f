#!/bin/sh
# vendor_libraries.sh DEVICE: which of NVIDIA's libraries a program opens for the head of a CSV (common/device/vendor.c, as
# it is on a GPU): those that it has calls of. The libraries here say that they are opened, and have no function. Says "ok"
# or "not ok" for each.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
. cpudevice/tests/harness/is.sh
if [ "${1:-cpu}" != cpu ]; then
    echo "ok # SKIP libraries that are opened: for the CPU device"
    exit 0
fi
cc=${CUCC_CC:-gcc}
make -s DEVICE=cpu build/cpu/libcourse.a build/cpu/libcudacpu.a || exit 1
# NVIDIA's headers have more than the CPU device's.
for function in cublasCreate cublasDestroy cublasSetStream cublasSgemm cublasGetVersion; do
    echo "#define $function ${function}_v2"
done >"$out/more.h"
printf 'int cusparseCreateBsr();\n#define CUSPARSE_SPMM_BSR_ALG1 CUSPARSE_SPMM_CSR_ALG1\n' >>"$out/more.h"
for source in common/device/vendor*.c; do
    $cc -DLAB_CUDA -O1 -include "$out/more.h" -Icommon -Icpudevice/include -c -o "$out/$(basename "$source").o" "$source" || exit 1
done
ar rcs "$out/vendor.a" "$out"/vendor*.o
for library in cublas.so.13 cusparse.so.12 cusparseLt.so.0; do
    printf '#include <stdio.h>\n__attribute__((constructor)) static void opened(void) { puts("%s"); }\n' "$library" >"$out/one.c"
    $cc -shared -fPIC -o "$out/lib$library" "$out/one.c" || exit 1
done

opens() { # WORDS CALL WHAT: a program with that call opens the libraries named
    expected=$1
    printf '#include <stdio.h>\n#include "vendor.h"\nint main(int count, char **words)\n{\n    (void)words;\n%s\n    puts(vendor_versions());\n    vendor_inputs_changed();\n    vendor_close();\n}\n' \
        "${2:+    if (count > 9)\n        $2;}" >"$out/program.c"
    sed -i 's/\\n/\n/g' "$out/program.c"
    $cc -DLAB_CUDA -O1 -Icommon -Icpudevice/include -c -o "$out/program.o" "$out/program.c" &&
        cpudevice/cucc -fopenmp -o "$out/program" "$out/program.o" "$out/vendor.a" build/cpu/libcourse.a -ldl -lpthread -lm &&
        LD_LIBRARY_PATH=$out "$out/program" >"$out/lines" || return 1
    opened=$(tr '\n' ' ' <"$out/lines")
    [ "$opened" = "$expected none " ] || { echo "it opens $opened, not $expected"; return 1; }
}
is 0 '' "a program without calls: cuBLAS" opens 'cublas.so.13' ''
is 0 '' "a product of fp8: cuBLAS" opens 'cublas.so.13' 'vendor_gemm_fp8(0, 0, 0, 0, 0, 1, 1, 1, 0)'
is 0 '' "a sparse product: cuSPARSE too" opens 'cublas.so.13 cusparse.so.12' 'vendor_spmm_csr(0, 0, 0, 0, 0, 0, 1, 1, 1, 0)'
is 0 '' "a 2:4 sparse product: cuSPARSELt too" opens 'cublas.so.13 cusparseLt.so.0' 'vendor_gemm_sparse24(0, 0, 0, 0, LAB_F32, 0, 1, 1, 1, 0, 0)'
