/* curand.cu: cuRAND's host API for C and host C++: what curand.h gives a kernel's file, with C's names. */
#define CPUDEV_RAND extern "C"
#include <curand.h>
