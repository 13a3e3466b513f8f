// dump effects
// rule address: whose address is taken may change at any time
__global__ void k(int *p)
{
    int a = 0, b = 0, c[2];
    ((char *)&a)[1] = 3;
    p[0] = *(&b + 0) + c[1];
    p += c[0];
}
