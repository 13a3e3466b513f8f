// A copy and a product by NCCL under --check, of memory that is set or not, and of one element too many.
// BUILD: $cucc --check -g -O1 -o $exe $case -lnccl
// TEST: ncclAllReduce under --check: plain set
// RUN: $exe plain set
// TEST: ncclAllReduce under --check: scaled set
// RUN: $exe scaled set
// TEST: ncclAllReduce under --check: scaled unset
// RUN: $exe scaled unset
// STATUS: 99
// MATCHES: ^initcheck: 
// SAYS: kernel ncclAllReduce
// TEST: ncclAllReduce under --check: plain beyond
// RUN: $exe plain beyond
// STATUS: 99
// MATCHES: ^memcheck: 
// TEST: ncclAllReduce under --check: scaled beyond
// RUN: $exe scaled beyond
// STATUS: 99
// MATCHES: ^memcheck: 
// SAYS: kernel ncclAllReduce
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
