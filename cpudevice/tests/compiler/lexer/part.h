__device__ float twice(float x);
