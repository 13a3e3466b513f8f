// 5: error: identifier "std::cout" is undefined in device code
// 6: error: calling a __host__ function("std::vector
#include <iostream>
#include <vector>
__global__ void k1() { std::cout << threadIdx.x; }
__global__ void k2(float *a) { std::vector<float> v(4); a[0] = v[0]; }
int main() { std::cout << "host\n"; return 0; }
