// dump print
// no kernel is understood here: each keeps its own words
__global__ void k(int *p) { [&] { p[0] = 1; }(); }
__global__ void named(const char **p) { *p = __func__; [] {}(); }
int main()
{
    int *p = 0;
    do k<<<1, 64>>>(p); while (0);
    k<<<dim3(1), 64, 0>>>(p);
}
