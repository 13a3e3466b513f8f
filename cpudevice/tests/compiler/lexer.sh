#!/bin/sh
# cpudevice_lexer.sh: the compiler driver cucc and its lexer. Plain C++ passes through byte for byte, messages name the
# student's own file and line, what is not supported is refused by name, and nvcc's options are taken.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../../.." || exit 2
cucc=$(pwd)/cpudevice/cucc
"$cucc" --build || { echo "not ok"; exit 1; }
lex=$(pwd)/build/cpu/cucc-compile
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' 0
failed=0
is() { # what, condition's status
    if [ "$2" = 0 ]; then echo "ok"; else failed=1 && echo "not ok"; echo "FAILED: $1"; fi
}
says() { # what, pattern, file
    grep -q -e "$2" "$3"
    status=$?
    [ $status = 0 ] || sed 's/^/    /' "$3" | head -10
    is "$1" $status
}
cd "$dir" || exit 2

# ---- text without CUDA
cat >plain.cpp <<'END'
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <thread>
#include <vector>
template <class T, int N = (4 > 2)> struct A { T v[N << 1]; std::vector<std::vector<T>> w; };
const char *s = "k<<<1,1>>>()", *r = R"tag(__global__ "void" )tag";
int shift(int a) { return a << 1 >> 1 << (a >> 2); }
template <class T> struct Out { template <class U> friend std::ostream &operator<<<>(std::ostream &, const Out<U> &); };
std::ostream &(*shown)(std::ostream &, const char *) = &std::operator<<<std::char_traits<char>>;
std::ostream &(*spaced)(std::ostream &, const char *) = &std::operator<< <std::char_traits<char> >;
int main() { int x = 0x1p3 + 1'000 + '"' + L'<'; while (x-- > 0); do x++; while (x < 3); asm volatile("" ::: "memory"); return x; }
END
g++ -std=c++17 -E plain.cpp >plain.ii && "$lex" <plain.ii >plain.out && cmp plain.ii plain.out
is "plain C++ with the standard library is unchanged" $?
g++ -std=c++17 -E plain.cpp >plain.ii && "$lex" --check <plain.ii >plain.out && cmp plain.ii plain.out
is "plain C++ is unchanged under --check" $?
: | "$lex" >empty && [ ! -s empty ]
is "an empty file" $?

# ---- __CUDA_ARCH__, which the device's side of a __host__ __device__ function sees and the host's does not
cat >arch.cu <<'END'
#include <cstdio>
#ifdef __CUDA_ARCH__
#define SIDE 1
#else
#define SIDE 2
static int host_only(int x) { return x + 100; }
#endif
struct S {
    int v;
    __host__ __device__ S() : v(0)
    {
#if __CUDA_ARCH__ >= 900
        v = 7;
#elif !defined(__CUDA_ARCH__)
        v = host_only(7);
#else
        v = "an architecture that was not asked for";
#endif
    }
};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#error
#endif
#if __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *p, double x) { return *p += x; }
#endif
__host__ __device__ int side() { return SIDE; }
template <class T> __host__ __device__ T either(T x)
{
#ifdef __CUDA_ARCH__
    if (x > 0) { return x + threadIdx.x; }
#else
    if (x > 0) { printf("host\n"); return 2 * x; }
#endif
    return -x;
}
__global__ void k(int *o, double *d)
{
    auto lambda = [=] __host__ __device__ (int i) {
#ifdef __CUDA_ARCH__
        return i;
#else
        return -i;
#endif
    };
    o[threadIdx.x] = S().v + 10 * side() + 100 * either(5) + 1000 * lambda(1) + 10000 * SIDE;
    atomicAdd(d, 1.0);
}
int main()
{
    int *o;
    double *d;
    cudaMallocManaged(&o, 32 * sizeof(int));
    cudaMallocManaged(&d, sizeof *d);
    *d = 0;
    k<<<1, 32>>>(o, d);
    cudaDeviceSynchronize();
#ifdef __CUDA_ARCH__
    return 1;
#endif
    printf("%d %d %g %d %d %d %d line %d\n", o[0], o[31], *d, S().v, side(), either(5), SIDE, __LINE__);
}
END
"$cucc" -Wall -Werror -o arch arch.cu 2>log && ./arch >log
says "__CUDA_ARCH__ on both sides" '^11517 14617 32 107 2 10 2 line 61' log
"$cucc" --check -o arch arch.cu 2>log && ./arch >log 2>&1
says "__CUDA_ARCH__ on both sides, checked" '^11517 14617 32 107 2 10 2 line 61' log
says "the lines after it are the program's" 'at arch.cu:53' log

# ---- registers of inline PTX that nobody reads
cat >reg.cu <<'END'
__global__ void k(unsigned *x)
{
    unsigned r = 0;
    asm volatile("{ .reg .pred p; .reg .u32 a; setp.eq.u32 p, %1, 0; mov.u32 a, %1; mov.u32 %0, 1; }" : "=r"(r) : "r"(x[0]));
    x[0] = r;
}
int main() { return 0; }
END
"$cucc" -Wall -Wextra -Werror -o reg reg.cu 2>log && echo compiled >log
says "registers of inline PTX give no warning" '^compiled' log

# ---- launches as formatters leave them
printf '__global__ void k(int *p) { *p = 3; }\nint main() { int *p; cudaMallocManaged(&p, 4); k << <1, 1 >> > (p); k <<<dim3(8 >> 3), 1 >> > (p); cudaDeviceSynchronize(); return *p != 3; }\n' >spaced.cu
"$cucc" -o spaced spaced.cu 2>log && ./spaced
is "a launch by << < and >> >" $?

# ---- messages
cat >wrong.cu <<'END'
#include <cstdio>
__global__ void k(int *p)
{
    __shared__ int s[32];
    s[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = undeclared + s[0];
}
int main()
{
    k<<<1,
        32>>>(nullptr);
    also_undeclared();
}
END
"$cucc" -c wrong.cu 2>log && status=1 || status=0
is "a wrong program does not compile" $status
says "a message in a kernel has its line" "wrong.cu:7:.*undeclared" log
says "a message after a launch over two lines has its line" "wrong.cu:13:.*also_undeclared" log
printf '__global__ void k(int *p)\n{\n    int x;\n    asm volatile("tcgen05.alloc.b32 %%0, %%1;" : "=r"(x) : "r"(3));\n    *p = x;\n}\nint main() {}\n' >ptx.cu
"$cucc" -c ptx.cu 2>log
says "unknown PTX is refused by name" "ptx.cu:4: error: the PTX instruction tcgen05.alloc.b32 is not supported" log
printf '__global__ void k()\n{\n    cudaDeviceSynchronize();\n}\nint main() { cudaDeviceSynchronize(); }\n' >waits.cu
"$cucc" -c waits.cu 2>log
says "a kernel that waits for others is refused by name" "waits.cu:3: error: cudaDeviceSynchronize() in a kernel" log
[ "$(grep -c error log)" = 1 ]
is "... and the host is not" $?

cat >reference.cu <<'EOF'
template <class T> __global__ void fine(T *x, int n = 1 & 3) { x[n] = n; }
__global__ void scale(float *x, const float &s) { x[threadIdx.x] *= s; }
EOF
"$cucc" -c -o reference.o reference.cu >log 2>&1
says "a kernel's parameter by reference is refused" "reference.cu:2: error: a kernel cannot take a parameter by reference" log
printf '#include <cstdio>\n__global__ void k(unsigned *p)\n{\n    unsigned lane;\n    asm("mov.u32 %%0, %%%%laneid;" : "=r"(lane));\n    p[threadIdx.x] = lane;\n}\nint main() { unsigned *p; cudaMallocManaged(&p, 256); k<<<1, 64>>>(p); cudaDeviceSynchronize(); return p[37] != 5; }\n' >lane.cu
"$cucc" -o lane lane.cu 2>log && ./lane
is "reading %laneid works" $?

# ---- the driver
cat >main.cu <<'END'
#include "part.h"
#include <cstdio>
__global__ void k(float *p) { p[threadIdx.x] = twice(p[threadIdx.x]) + VALUE; }
extern "C" int from_c(void);
int main()
{
    float *p;
    cudaMallocManaged(&p, 64);
    p[3] = 20;
    k<<<1, 16>>>(p);
    cudaDeviceSynchronize();
    return p[3] == 42 && from_c() == 7 && TEXT[0] == 'a' ? 0 : 1;
}
END
printf '__device__ float twice(float x);\n' >part.h
printf '#include "part.h"\n__device__ float twice(float x) { return 2 * x + 0 * threadIdx.x; }\n' >part.cu
printf 'int from_c(void) { return 7; }\n' >c.c
flags="-O3 -std=c++17 -arch=sm_90 -gencode arch=compute_80,code=sm_80 -rdc=true -lineinfo -Xptxas -v --expt-relaxed-constexpr -Xcompiler -Wall,-Wextra -use_fast_math -DVALUE=2 -I."
"$cucc" $flags '-DTEXT="a b"' -dc -o main.o main.cu 2>log && "$cucc" $flags -dc part.cu -o part.o 2>>log && "$cucc" -o both main.o part.o c.c -lcudart -lm 2>>log && ./both && "$cucc" -c -o from_c.o c.c
is "separate compilation, nvcc's options, a C file" $?
${CUCC_CXX:-g++} -o linked main.o part.o from_c.o -L"$(dirname "$lex")" -lcudart -lpthread -ldl -lm && ./linked
is "linked by the C++ compiler with -lcudart" $?
mkdir objects
"$cucc" $flags '-DTEXT="a b"' -odir objects -dc main.cu part.cu && "$cucc" -o apart objects/main.o objects/part.o c.c && ./apart
is "the objects of several files in a folder of their own" $?
"$cucc" $flags '-DTEXT="a b"' -MD -MF main.d -MT main.o -c -o main.o main.cu && grep -q 'main.o:' main.d && grep -q 'part.h' main.d
is "dependencies" $?
cp main.cu odd.txt && "$cucc" -x cu $flags '-DTEXT="a b"' -c -o odd.o odd.txt
is "-x cu" $?
"$cucc" --version | grep -q 'release 13'
is "--version" $?
"$cucc" --help | grep -q -e --check
is "--help" $?
"$cucc" --no-such-option main.cu 2>log && status=1 || status=0
is "an unknown option fails" $status
says "an unknown option is named" "no-such-option" log
"$cucc" -c missing.cu 2>log && status=1 || status=0
is "a missing file fails" $status
"$cucc" -ptx main.cu 2>log && status=1 || status=0
is "-ptx is refused" $status

# ---- two drivers at once, with nothing built yet
CUCC_BUILD=$dir/fresh "$cucc" $flags '-DTEXT="a b"' -c -o one.o main.cu & first=$!
CUCC_BUILD=$dir/fresh "$cucc" $flags -c -o two.o part.cu
status=$?
wait $first && [ $status = 0 ] && [ -s one.o ] && [ -s two.o ]
is "two that build the runtime at the same time" $?

[ $failed = 0 ]
