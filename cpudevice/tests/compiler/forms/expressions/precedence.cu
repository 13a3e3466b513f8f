// dump parse
__global__ void k(int *p, int a, int b)
{
    p[0] = a + b * 3 << 1 & a == b || !a ? b++ : -a;
    p[1] = (a) - 1, p[2] += a >>= 2;
}
