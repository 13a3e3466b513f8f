/* library.h: a function with inline PTX that does not exist. */
struct Atom {
    static __device__ void go(unsigned &x) { asm volatile("mma.never.b32 %0, %0;" : "+r"(x)); }
};
