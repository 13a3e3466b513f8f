// dump effects
struct Cell {
    int w[2], m[2][2], n;
};
__global__ void k(int *out, Cell a, Cell b, Cell c, Cell d, Cell *e)
{
    int *p = (int *)a.w;
    const int *q = b.m[1];
    out[c.w[1]] = c.m[0][1] + c.n;
    d.w[0] = 1;
    p[0] = e->w[0] + q[0];
}
