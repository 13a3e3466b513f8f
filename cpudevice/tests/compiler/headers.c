/* headers.c: every header of NVIDIA's that the CPU device has compiles alone, in each language and by each compiler with
 * which NVIDIA's compiles: for the CPU device only. A row's command says which headers a compiler refuses. */
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "suite.h"

/* What the CPU device does not have: each header says so in an #error. */
#define MISSING " cublas.h cudnn_adv.h cudnn_backend.h cudnn_graph.h cusolverSp.h cusparseLt.h npp.h nppi.h "
/* Parts of other headers, which NVIDIA does not have. */
#define PARTS                                                                                                          \
    " cublas_factor.h cublas_functions.h cublas_gemm.h cublas_lt_kernels.h cublas_lt_matmul.h curand_lanes.h "         \
    "curand_mrg.h "                                                                                                    \
    "curand_sobol.h "
/* C++ only; so are NVIDIA's. */
#define CLASSES                                                                                                        \
    " curand_kernel.h curand_lognormal.h curand_normal.h curand_philox4x32_x.h curand_poisson.h curand_uniform.h "

/* Which headers but these a compiler refuses, of how many. */
#define REFUSED(compiler, but)                                                                                         \
    "cd cpudevice/include && set -- $(ls *.h */*.h | grep -v -e cpudev -e ^cuda/ -e ^thrust/ -e ^nvtx3/); "            \
    "for h in $*; do case '" but "' in *\" $h \"*) ;; *) echo $h ;; esac; done | xargs -P 2 -I@ sh -c '"               \
    "echo \"#include <@>\" | " compiler " -fsyntax-only -Wall -Werror -I. - 2>/dev/null || echo @' | "                 \
    "{ refused=$(sort); echo $(($# > 60)) refused: $refused.; }"
#define IN_C(compiler) REFUSED(compiler " -x c -std=c11", MISSING PARTS CLASSES)
#define IN_CPP(compiler) REFUSED(compiler " -x c++ -std=c++17", MISSING PARTS)
#define IF_THERE(compiler, command) "if ! command -v " compiler " >/dev/null; then echo none; exit; fi; " command

static const CommandCase in_c[] = {
    {0, "^1 refused: \\.$", IN_C("gcc")},
    {0, "^1 refused: \\.$|^none$", IF_THERE("clang", IN_C("clang"))},
};
static const CommandCase in_cpp[] = {
    {0, "^1 refused: \\.$", IN_CPP("g++")},
    {0, "^1 refused: \\.$|^none$", IF_THERE("clang++", IN_CPP("clang++"))},
    /* as cucc has g++ compile a .cpp */
    {0, "^1 refused: \\.$", IN_CPP("g++ -D__NVCC__ -D__CUCC__=1")},
};
static const CommandCase in_kernels[] = {
    /* what waits on the thread sanitizer, such as the watch on cp.async, is there with a clang that has no such macro */
    {0, "^1$",
     "echo __SANITIZE_THREAD__ | g++ -U__SANITIZE_THREAD__ '-D__has_feature(x)=1' -E -P -x c++ -include "
     "cpudevice/include/cpudev_check_pre.h - | tail -n 1"},
    /* in a kernel's file, without the conversions of the 16-bit types, as PyTorch has it */
    {0, "^compiled$",
     "f=$(mktemp -d) && printf '#include <cublasLt.h>\\n#include <cublas_v2.h>\\n' >$f/a.cu && cpudevice/cucc -O0 -c "
     "-D__CUDA_NO_HALF_CONVERSIONS__ -D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_HALF2_OPERATORS__ "
     "-D__CUDA_NO_BFLOAT16_CONVERSIONS__ -o $f/a.o $f/a.cu && rm -r $f && echo compiled"},
};
static const CommandCase missing[] = {
    /* what is missing says so in its own words */
    {0, "^silent: \\.$",
     "silent=$(for h in " MISSING "; do echo \"#include <$h>\" | g++ -x c++ -Icpudevice/include -fsyntax-only - 2>&1 | "
     "grep -q \"error: #error .the CPU device\" || echo $h; done); echo silent: $silent."},
};

/* What the headers only declare for them is linked: headers/calls.c, as C and as C++, by cucc, under --check, and by g++ with
 * the toolkit's libraries. */
#define CALLS "cpudevice/tests/compiler/headers/calls.c"
#define LINKED(command) "d=$(mktemp -d); " command "; rc=$?; rm -r $d; exit $rc"
#define RIGHT "^status 0, dot 30, seven numbers differ$"
static const CommandCase links[] = {
    {0, RIGHT, LINKED("cpudevice/cucc -o $d/t " CALLS " -lcublas -lcurand && $d/t")},
    {0, RIGHT, LINKED("cp " CALLS " $d/t.cpp && cpudevice/cucc -o $d/t $d/t.cpp -lcublas -lcublasLt -lcurand && $d/t")},
    {0, RIGHT, LINKED("cpudevice/cucc --check -o $d/t " CALLS " -lcublas -lcurand && $d/t 2>&1")},
    {0, RIGHT,
     LINKED("cp " CALLS
            " $d/t.cpp && cpudevice/cucc -v -o $d/t $d/t.cpp -lcublas -lcurand >$d/log 2>&1 && g++ -o $d/t $d/t.cpp "
            "-Icpudevice/include -Lcpudevice/toolkit/lib64 -lcublas -lcurand -lcudart -lpthread -ldl && $d/t")},
};

START_TEST(of_c) { command_holds(&in_c[_i]); }
END_TEST
START_TEST(of_cpp) { command_holds(&in_cpp[_i]); }
END_TEST
START_TEST(of_kernels) { command_holds(&in_kernels[_i]); }
END_TEST
START_TEST(of_missing) { command_holds(&missing[_i]); }
END_TEST
START_TEST(of_links) { command_holds(&links[_i]); }
END_TEST

static void add(Suite *s, const char *name, const TTest *test, size_t cases)
{
    TCase *t = tcase_create(name);
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, test, 0, (int)cases);
    suite_add_tcase(s, t);
}

#define COUNT(cases) (sizeof cases / sizeof cases[0])

int main(void)
{
    Suite *s = suite_create("headers");
    add(s, "in_c", of_c, COUNT(in_c));
    add(s, "in_cpp", of_cpp, COUNT(in_cpp));
    add(s, "in_kernels", of_kernels, COUNT(in_kernels));
    add(s, "missing", of_missing, COUNT(missing));
    add(s, "links", of_links, COUNT(links));
    return run_suite(s);
}
