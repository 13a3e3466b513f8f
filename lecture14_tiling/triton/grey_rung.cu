/* grey_rung.cu: lecture 3's lab greyscale for triton/grey.py, through ctypes. */
#include "../../lecture03_cuda_basics/greyscale.cu"

/* One rung on device memory, asynchronous on `stream`. */
extern "C" void grey_rung(int number, const uint8_t *in, uint8_t *grey, int width, int height, cudaStream_t stream)
{
    for (int i = 0; i < LAB_COUNT(rungs); i++)
        if (rungs[i].number == number)
            ((Grey *)rungs[i].launch)(in, grey, width, height, stream);
}
