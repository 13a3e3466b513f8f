// 5: error: device code does not support exception handling
__global__ void k(int *p)
{
    if (p[0] == 3)
        throw 1;
}
