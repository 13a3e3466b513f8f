// nvcc takes this
#include <cuComplex.h>
__global__ void k(cuFloatComplex *x, cuDoubleComplex *y, float *z)
{
    x[0] = cuCmulf(make_cuFloatComplex(1, 2), cuConjf(x[1]));
    x[1] = cuCdivf(cuCaddf(x[0], x[1]), cuCsubf(x[0], x[2]));
    y[0] = cuCmul(make_cuDoubleComplex(1, 2), cuCadd(y[1], y[2]));
    z[0] = cuCabsf(x[0]) + (float)cuCabs(y[0]) + cuCrealf(x[1]) + cuCimagf(x[1]);
}
