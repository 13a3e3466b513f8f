/* cufft_sizes.c: how much working memory cuFFT's plans ask for, which is none, since FFTW has its own; versions. */
#include "cufft.h"

static cufftResult no_memory(size_t *work_bytes)
{
    if (!work_bytes)
        return CUFFT_INVALID_VALUE;
    *work_bytes = 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *work_bytes)
{
    return (void)nx, (void)type, (void)batch, no_memory(work_bytes);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *work_bytes)
{
    return (void)nx, (void)ny, (void)type, no_memory(work_bytes);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *work_bytes)
{
    return (void)nx, (void)ny, (void)nz, (void)type, no_memory(work_bytes);
}
cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                              int odist, cufftType type, int batch, size_t *work_bytes)
{
    (void)rank, (void)n, (void)inembed, (void)istride, (void)idist, (void)onembed, (void)ostride, (void)odist;
    return (void)type, (void)batch, no_memory(work_bytes);
}

cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *work_bytes)
{
    return (void)nx, (void)type, (void)batch, cufftGetSize(plan, work_bytes);
}
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *work_bytes)
{
    return (void)nx, (void)ny, (void)type, cufftGetSize(plan, work_bytes);
}
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *work_bytes)
{
    return (void)nx, (void)ny, (void)nz, (void)type, cufftGetSize(plan, work_bytes);
}
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                             int ostride, int odist, cufftType type, int batch, size_t *work_bytes)
{
    (void)rank, (void)n, (void)inembed, (void)istride, (void)idist, (void)onembed, (void)ostride, (void)odist;
    return (void)type, (void)batch, cufftGetSize(plan, work_bytes);
}

cufftResult cufftGetVersion(int *version)
{
    if (!version)
        return CUFFT_INVALID_VALUE;
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUFFT_INVALID_VALUE;
    *value = parts[type];
    return CUFFT_SUCCESS;
}
