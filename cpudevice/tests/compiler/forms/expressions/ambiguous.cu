// dump parse
// what could be read in two ways is not understood: a cast or a call, a template or a comparison, a declaration
__global__ void k(int *p)
{
    p[0] = (unknown)(p[1]);
    p[1] = unknown<3>(p[2]);
    unknown *q;
    p[2] = (unknown)-1;
}
