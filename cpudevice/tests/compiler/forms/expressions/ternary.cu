// dump effects
// rule ternary: c ? a : b may be changed, which changes a or b
__global__ void k(int *p)
{
    int a = 0, b = 1, c = 2;
    (p[0] ? a : b) = c;
    p[1] = p[0] ? c : c;
}
