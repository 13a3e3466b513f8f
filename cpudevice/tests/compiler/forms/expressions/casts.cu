// dump parse
typedef float real;
template <class T> __global__ void k(T *p, int n)
{
    p[0] = (T)n + (real)-n + static_cast<int>(p[1]) + float(n) + (n)-1;
    const real *q = reinterpret_cast<const real *>(p);
}
