// nvcc takes this
__device__ int v;
int main()
{
    int *p = &v;
    return p == nullptr;
}
