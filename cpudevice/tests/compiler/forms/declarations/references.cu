// dump effects
// rule references: whoever has a reference may change the variable
__global__ void k(int *p)
{
    int a = 0, b = 0;
    int &r = a;
    const int v = b;
    p[0] = r + v;
}
