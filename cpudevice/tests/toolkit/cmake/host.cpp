#include <cuda_runtime.h>
int main()
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) || devices < 1;
}
