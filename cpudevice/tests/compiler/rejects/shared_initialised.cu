// 4: error: initializer not allowed for __shared__ variable
__global__ void k(int *p)
{
    __shared__ int s = 3;
    p[0] = s;
}
