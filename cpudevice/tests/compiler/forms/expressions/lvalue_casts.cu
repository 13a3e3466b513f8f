// dump effects
// rule casts: an lvalue behind a cast may be changed
__global__ void k(int *p)
{
    int a = 0, b = 1;
    (int &)a = 3;
    p[0] = (int)b;
}
