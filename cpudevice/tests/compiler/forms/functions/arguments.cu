// dump effects
// rule arguments: a function takes its argument by value only if that is known
__device__ void change(int &x, int y) { x = y; }
__global__ void k(int *p)
{
    int a = 0, b = 1, c = 2, d = 3;
    change(a, b);
    unknown(c);
    p[0] = min(d, 4);
}
