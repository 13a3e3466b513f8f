// 5: error: a __global__ function call must be configured
__global__ void k(int *p) { p[0] = 1; }
int main()
{
    k(nullptr);
}
