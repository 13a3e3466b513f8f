// TEST: a kernel's parameter by reference is refused
// RUN: $cucc -c -o $work/reference.o $case
// STATUS: 1
// SAYS: reference.cu:{line void scale}: error: a kernel cannot take a parameter by reference
template <class T> __global__ void fine(T *x, int n = 1 & 3) { x[n] = n; }
__global__ void scale(float *x, const float &s) { x[threadIdx.x] *= s; }
