/* cufftXt.h: cuFFT's interface, without what is new here: several GPUs, callbacks, half precision. */
#include "cufft.h"
