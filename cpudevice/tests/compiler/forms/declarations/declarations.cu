// dump parse
__global__ void k(int *p)
{
    const unsigned int a = 1, *b = &a, c[2][3] = {{1}};
    decltype(a) d = a;
    alignas(16) float e[4];
    auto f = p[0];
    int g(3), h{4}, &i = g;
    struct point *q;
    unsigned char bits;
}
