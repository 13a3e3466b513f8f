// 5: error: return value type does not match the function type
__global__ void k(int *p)
{
    if (p[0] > 2)
        return 1;
    p[0] = 1;
}
