// TEST: a kernel that waits for others is refused by name
// RUN: $cucc -c -o $work/waits.o $case
// STATUS: 1
// SAYS: waits.cu:{line     cudaDeviceSynchronize}: error: cudaDeviceSynchronize() in a kernel
// TEST: ... and the host is not
// RUN: $cucc -c -o $work/waits.o $case
// STATUS: 1
// COUNT: 1 error
__global__ void k()
{
    cudaDeviceSynchronize();
}
int main() { cudaDeviceSynchronize(); }
