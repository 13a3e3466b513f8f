/* curand_kernel.h: named here only to say that it is not there. */
#error "the CPU device does not have cuRAND"
