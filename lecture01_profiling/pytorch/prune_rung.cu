/* prune_rung.cu: lecture 11's lab prune24 for kernels.py, through ctypes. */
#include "../../lecture11_sparsity/prune24.cu"

/* Rung 1 on device memory, asynchronous on `stream`: W of rows x columns bfloat16 becomes values of rows x columns / 2,
 * and sparse24_meta_words(rows, columns) words of metadata. */
extern "C" void prune_rung1(const uint16_t *W, uint16_t *values, uint32_t *meta, int rows, int columns,
                            cudaStream_t stream)
{
    prune1(W, rows, columns, values, meta, stream);
}
