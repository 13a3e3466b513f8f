// 4: error: expression must have a constant value
__global__ void k(float *p, int n)
{
    float a[n];
    a[0] = p[0], p[1] = a[0];
}
