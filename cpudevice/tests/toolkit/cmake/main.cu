void run(int *);
int main()
{
    int *a;
    if (cudaMallocManaged(&a, 32 * sizeof *a))
        return 2;
    run(a);
    return cudaDeviceSynchronize() || a[31] != 31 * 31;
}
