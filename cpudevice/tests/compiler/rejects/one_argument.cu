// nvcc takes this
__global__ void k(int *p) { p[0] = 1; }
int main()
{
    k<<<1>>>(nullptr);
}
