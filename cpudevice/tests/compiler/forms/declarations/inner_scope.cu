// dump effects
// an inner variable has an outer one's name: each name means the innermost that is in scope
__global__ void k(int *p, int n)
{
    int v = threadIdx.x;
    {
        int v = n;
        v += 2;
        p[v] = 1;
    }
    for (int v = 0; v < n; v++)
        p[v] = 3;
    if (n > 4)
        int v = 5;
    p[v] = v;
}
