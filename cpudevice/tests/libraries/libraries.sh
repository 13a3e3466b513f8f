#!/bin/sh
# The libraries behind NVIDIA's interfaces: cpudevice/tests/libraries/NAME.cu, or NAME_PART.cu, is linked with -lNAME and compares
# with plain loops.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP the libraries: for the CPU device"; exit 0; }
. cpudevice/tests/harness/result.sh

for source in cpudevice/tests/libraries/*.cu; do
    name=$(basename "$source" .cu)
    cpudevice/cucc -O1 -o "$work/$name" "$source" -l"${name%%_*}" >"$work/log" 2>&1 && "$work/$name" >"$work/log" 2>&1
    status=$?
    missing=$(sed -n 's/^CPU device: \(.* needs .*, which is not installed\).*/\1/p' "$work/log" | head -1)
    if [ -n "$missing" ]; then echo "ok # SKIP $name: $missing"; else result $status "$name"; fi
done

# What is not installed is told by name: here no library can be loaded.
echo 'void *dlopen(const char *name, int flags) { return (void)name, (void)flags, (void *)0; }' >"$work/none.c"
${CUCC_CC:-gcc} -shared -fPIC -o "$work/none.so" "$work/none.c"
LD_PRELOAD=$work/none.so "$work/cufft" >"$work/log" 2>&1
[ "$(grep -c 'cuFFT needs libfftw3f.so.3, which is not installed: apt-get install libfftw3-single3' "$work/log")" = 1 ]
result $? "a library that is not installed is told once, with its package"

# Products by OpenBLAS, which may not be here: one of plain loops that has its name. Without it they are loops, silently.
mkdir "$work/blas"
${CUCC_CC:-gcc} -O1 -shared -fPIC -o "$work/blas/libopenblas.so.0" cpudevice/tests/libraries/openblas_plain.c
LD_LIBRARY_PATH=$work/blas CUDA_CPU_WORKERS=3 "$work/cublas_gemm" openblas >"$work/log" 2>&1 &&
    grep -q '^plain OpenBLAS: [0-9]* calls, 3 threads' "$work/log"
result $? "cublas_gemm by OpenBLAS"
[ "$(sed -n 's/^plain OpenBLAS: \([0-9]*\) calls.*/\1/p' "$work/log")" -gt 200 ] 2>/dev/null
result $? "OpenBLAS computes cuBLAS's products"
LD_LIBRARY_PATH=$work/blas "$work/cublasLt" >"$work/log" 2>&1 &&
    [ "$(sed -n 's/^plain OpenBLAS: \([0-9]*\) calls.*/\1/p' "$work/log")" -gt 200 ]
result $? "cublasLt by OpenBLAS"
LD_PRELOAD=$work/none.so "$work/cublas_gemm" >"$work/log" 2>&1 && [ "$(cat "$work/log")" = "all right" ]
result $? "cublas_gemm by loops"

# Transforms by FFTW, which may not be here either: one of plain sums, in each precision.
mkdir "$work/fftw"
${CUCC_CC:-gcc} -O2 -shared -fPIC -o "$work/fftw/libfftw3.so.3" cpudevice/tests/libraries/fftw_plain.c -lm
${CUCC_CC:-gcc} -O2 -shared -fPIC -DSINGLE -o "$work/fftw/libfftw3f.so.3" cpudevice/tests/libraries/fftw_plain.c -lm
for name in cufft cufft_xt; do
    LD_LIBRARY_PATH=$work/fftw "$work/$name" >"$work/log" 2>&1 && [ "$(grep -c '^plain FFTW: [1-9]' "$work/log")" = 2 ]
    result $? "$name by plain sums"
done

# What NCCL refuses is told: that there is one rank always, the rest where NCCL_DEBUG asks for it.
env -u NCCL_DEBUG "$work/nccl" >"$work/log" 2>&1
[ "$(grep -c '^CPU device: NCCL: more than one rank' "$work/log")" = 1 ] && ! grep -q 'NCCL WARN' "$work/log"
result $? "more ranks than one are refused with the reason, once"
NCCL_DEBUG=WARN "$work/nccl" >"$work/log" 2>&1 && grep -q '^CPU device: NCCL WARN Duplicate GPU detected : rank 0' "$work/log"
result $? "NCCL_DEBUG=WARN tells what was wrong"

# Under --check each is without a finding.
for name in nccl nccl_streams cufft_xt; do
    cpudevice/cucc --check -g -O1 -o "$work/checked" "cpudevice/tests/libraries/$name.cu" -l"${name%%_*}" >"$work/log" 2>&1 &&
        LD_LIBRARY_PATH=$work/fftw "$work/checked" check >"$work/log" 2>&1 && grep -q '^cucc --check: 0 errors' "$work/log"
    result $? "$name under --check"
done

# c = a b with a, b, c of 8 x 8 in columns of ld: with 9 they end beyond their memory.
cat >"$work/beyond.cu" <<'END2'
#include <cublas_v2.h>
#include <cstdlib>
int main(int, char **words)
{
    float *m[3], one = 1, zero = 0;
    int ld[3];
    cublasHandle_t h;
    cublasCreate(&h);
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&m[i], 64 * sizeof(float)), ld[i] = atoi(words[1 + i]);
        cudaMemset(m[i], 0, 64 * sizeof(float));
    }
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, m[0], ld[0], m[1], ld[1], &zero, m[2], ld[2]);
    for (float *p : m)
        cudaFree(p);
    return cublasDestroy(h);
}
END2
cpudevice/cucc --check -g -o "$work/beyond" "$work/beyond.cu" -lcublas >"$work/log" 2>&1
for way in "8 8 8" "9 8 8" "8 9 8" "8 8 9"; do
    LD_LIBRARY_PATH=$work/blas "$work/beyond" $way >"$work/log" 2>&1
    status=$?
    if [ "$way" = "8 8 8" ]; then
        [ $status = 0 ] && ! grep -q '^memcheck: ' "$work/log"
    else
        [ $status = 99 ] && grep -q '^memcheck: ' "$work/log" && grep -q 'kernel cublasSgemm' "$work/log"
    fi
    result $? "a product by OpenBLAS under --check, with columns of $way"
done

# A copy and a product by NCCL, of memory that is set or not, and of one element too many.
cat >"$work/one_rank.cu" <<'END2'
#include <nccl.h>
#include <cstring>
int main(int, char **words)
{
    const bool scaled = !strcmp(words[1], "scaled"), unset = !strcmp(words[2], "unset"), beyond = !strcmp(words[2], "beyond");
    float *x, *y, back[8], two = 2;
    ncclComm_t comm;
    ncclRedOp_t op = ncclSum;
    cudaMalloc(&x, sizeof back), cudaMalloc(&y, sizeof back);
    if (!unset)
        cudaMemset(x, 0, sizeof back);
    if (ncclCommInitAll(&comm, 1, NULL) ||
        (scaled && ncclRedOpCreatePreMulSum(&op, &two, ncclFloat, ncclScalarHostImmediate, comm)))
        return 1;
    ncclAllReduce(x, y, beyond ? 9 : 8, ncclFloat, op, comm, 0);
    cudaMemcpy(back, y, sizeof back, cudaMemcpyDeviceToHost);
    volatile float sum = back[0] + back[7] > 0;
    (void)sum;
    cudaFree(x), cudaFree(y);
    return ncclCommDestroy(comm);
}
END2
cpudevice/cucc --check -g -o "$work/one_rank" "$work/one_rank.cu" -lnccl >"$work/log" 2>&1
for way in "plain set" "scaled set" "scaled unset" "plain beyond" "scaled beyond"; do
    "$work/one_rank" $way >"$work/log" 2>&1
    status=$?
    case $way in
    *" set") [ $status = 0 ] ;;
    *unset) [ $status = 99 ] && grep -q '^initcheck: ' "$work/log" && grep -q 'kernel ncclAllReduce' "$work/log" ;;
    plain*) [ $status = 99 ] && grep -q '^memcheck: ' "$work/log" ;;
    scaled*) [ $status = 99 ] && grep -q '^memcheck: ' "$work/log" && grep -q 'kernel ncclAllReduce' "$work/log" ;;
    esac
    result $? "ncclAllReduce under --check: $way"
done

# cuDNN under --check: its tests, and a convolution with one output too many, or of values that nothing has written.
cpudevice/cucc --check -g -O1 -o "$work/layers" cpudevice/tests/libraries/cudnn_layers.cu -lcudnn >"$work/log" 2>&1 &&
    "$work/layers" >"$work/log" 2>&1
result $? "cudnn_layers under --check"
cat >"$work/filtered.cu" <<'END2'
#include <cstring>
#include <cudnn.h>
int main(int, char **words)
{
    const bool unset = !strcmp(words[1], "unset");
    const int outputs = !strcmp(words[1], "beyond") ? 3 : 2;
    float *x, *w, *y, one = 1, zero = 0;
    cudnnHandle_t h;
    cudnnTensorDescriptor_t x_of, y_of;
    cudnnFilterDescriptor_t w_of;
    cudnnConvolutionDescriptor_t d;
    cudaMalloc(&x, 25 * sizeof *x), cudaMalloc(&w, 27 * sizeof *w), cudaMalloc(&y, 18 * sizeof *y);
    if (!unset)
        cudaMemset(x, 0, 25 * sizeof *x);
    cudaMemset(w, 0, 27 * sizeof *w);
    cudnnCreate(&h), cudnnCreateTensorDescriptor(&x_of), cudnnCreateTensorDescriptor(&y_of);
    cudnnCreateFilterDescriptor(&w_of), cudnnCreateConvolutionDescriptor(&d);
    cudnnSetTensor4dDescriptor(x_of, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 5, 5);
    cudnnSetTensor4dDescriptor(y_of, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, 1, outputs, 3, 3);
    cudnnSetFilter4dDescriptor(w_of, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, outputs, 1, 3, 3);
    cudnnSetConvolution2dDescriptor(d, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    if (cudnnConvolutionForward(h, &one, x_of, x, w_of, w, d, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, NULL, 0, &zero,
                                y_of, y))
        return 1;
    cudaFree(x), cudaFree(w), cudaFree(y);
    return cudnnDestroy(h);
}
END2
cpudevice/cucc --check -g -o "$work/filtered" "$work/filtered.cu" -lcudnn >"$work/log" 2>&1
for way in set unset beyond; do
    "$work/filtered" $way >"$work/log" 2>&1
    status=$?
    case $way in
    set) [ $status = 0 ] ;;
    unset) [ $status = 99 ] && grep -q '^initcheck: ' "$work/log" && grep -q 'kernel cudnnConvolutionForward' "$work/log" ;;
    beyond) [ $status = 99 ] && grep -q '^memcheck: ' "$work/log" && grep -q 'kernel cudnnConvolutionForward' "$work/log" ;;
    esac
    result $? "a convolution by cuDNN under --check: $way"
done

# The checker sees what a library reads and writes.
cat >"$work/unset.cu" <<'END2'
#include <cufft.h>
int main(int count, char **)
{
    cufftComplex *x, *y, back;
    cufftHandle plan;
    cudaMalloc(&x, 8 * sizeof *x), cudaMalloc(&y, 8 * sizeof *y);
    if (count > 1)
        cudaMemset(x, 0, 8 * sizeof *x);
    if (cufftPlan1d(&plan, 8, CUFFT_C2C, 1) || cufftExecC2C(plan, x, y, CUFFT_FORWARD))
        return 1;
    cudaMemcpy(&back, y + 7, sizeof back, cudaMemcpyDeviceToHost);
    cufftDestroy(plan), cudaFree(x), cudaFree(y);
    return 0;
}
END2
if cpudevice/cucc --check -g -o "$work/unset" "$work/unset.cu" -lcufft >"$work/log" 2>&1 && "$work/unset" set >"$work/log" 2>&1; then
    echo "ok - cufft under --check, without a finding"
    "$work/unset" >"$work/log" 2>&1
    [ $? = 99 ] && grep -q '^initcheck: ' "$work/log" && grep -q 'kernel cufftExecC2C' "$work/log"
    result $? "a transform of memory that nothing has written is found"
elif grep -q 'which is not installed' "$work/log"; then
    echo "ok # SKIP cufft under --check: FFTW is not installed"
else
    result 1 "cufft under --check, without a finding"
fi
exit $failed
