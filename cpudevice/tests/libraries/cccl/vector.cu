// TEST: so is Thrust
// RUN: $cucc --cccl none -o $exe $case
// STATUS: 1
// SAYS: does not have Thrust
// MATCHES: tools/[a-z/]*need.sh cccl
#include <thrust/device_vector.h>
int main() { return 0; }
