/* driver.c: cucc's driver: what each of nvcc's options becomes (as --dryrun shows it), how often g++ is asked about a
 * wrong program, what it says then, and what is left behind: for the CPU device only. The commands see: $cucc; $out, an
 * empty folder in which they run, with the files below. */
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "suite.h"

/* Shows the commands of cucc with these arguments, none of which runs. */
#define DRY(arguments) "$cucc --dryrun " arguments " 2>&1"

static const CommandCase options[] = {
    {0, "g\\+\\+ -E .*-I folder .*-D A=1 .*-U B .*-include first.h .*a.cu",
     DRY("-Ifolder -D A=1 --undefine-macro=B -include first.h a.cu")},
    {0, "-I folder .*-I other -isystem sys", DRY("-I=folder --include-path other -isystem=sys a.cu")},
    /* nvcc's lists, as nvcc 13.0 --dryrun splits them */
    {0, "-I folder .*-I other .*-isystem s1 .*-isystem s2 .*-D A=1 -D B ",
     DRY("-Ifolder,other -isystem=s1,s2 -D 'A=1 , B' a.cu")},
    {0, "-U A -U B -D 'T=\"a,b\"' -D 'S=\\\\\"a' -D 'b\\\\\"' -include x -include y ",
     DRY("-U A,,B, '-DT=\"a,b\"' '-DS=\\\"a,b\\\"' -include x,y a.cu")},
    {0, "a.out .*-Ll1 -Ll2 -lm -lz ", DRY("-L l1,l2 -lm,cudart,z a.cu")},
    {0, "-c .*out.ii -o program.o ", DRY("-c -o program.o a.cu")},
    {0, "-c .*out.ii -o program.o ", DRY("--compile --output-file=program.o a.cu")},
    {0, "-c .*out.ii -o objects/a.o ", DRY("-dc -odir objects a.cu b.cu")},
    {0, "-o program .*libcudacpu.a'? ", DRY("-oprogram a.cu")},
    {0, "-shared .*libcudacpu_pic.a'? ", DRY("-shared -Xcompiler -fPIC -o lib.so a.cu")},
    {0, "^0$", "$cucc --dryrun -shared -Xcompiler -fPIC -o lib.so a.cu 2>&1 | grep -c local-exec; true"},
    {0, "libcudacpu_check.a", DRY("--check a.cu")},
    {0, "-D__CUDA_ARCH__=900 ", DRY("a.cu")},
    {0, "-D__CUDA_ARCH__=800 ", DRY("-arch=sm_80 a.cu")},
    {0, "-D__CUDA_ARCH__=1000 ", DRY("-arch sm_100a a.cu")},
    {0, "-D__CUDA_ARCH__=900 ", DRY("-arch=native -gencode arch=compute_80,code=sm_80 -t4 -maxrregcount=32 a.cu")},
    {0, " -x c\\+\\+-cpp-output -std=c\\+\\+20 -O1 ", DRY("-O1 -std c++20 a.cu")},
    {0, " -x c\\+\\+-cpp-output -std=c\\+\\+20 -O3 ", DRY("-O2 -std c++20 a.cu")},
    {0, " -x c\\+\\+-cpp-output -std=c\\+\\+20 -O2 ", DRY("--check -O2 -std c++20 a.cu")},
    /* a clang that is asked for its version only: copies of an access would not count as repeated */
    {0, " -fno-unroll-loops ",
     "printf '#!/bin/sh\\necho 14\\n' >clang++; chmod +x clang++; CUCC_BUILDS=no CUCC_CXX=$out/clang++ " DRY(
         "--check -c a.cu")},
    /* what a compiler says of its machine is kept, until its file is another one; of a script it is asked each time */
    {0, "^2 2 0 0, 2 0$",
     "mkdir asked && ln -s \"${CUCC_BUILD:-$root/build/cpu}/cucc-driver\" asked && ${CUCC_CC:-gcc} -o tells tells.c; "
     "export CUCC_BUILDS=no CUCC_BUILD=$out/asked CUCC_CXX=$out/tells; "
     "of_x86() { echo $1 >says; $cucc --dryrun -c a.cu 2>&1 | grep -c red-zone; }; "
     "echo $(of_x86 x86_64) $(of_x86 aarch64) $(touch tells; of_x86 aarch64) $(of_x86 x86_64), "
     "$(export CUCC_CXX=$out/tells.sh; of_x86 x86_64; of_x86 aarch64)"},
    {0, "cpp-output .* -O0 .*-g ", DRY("-G a.cu")},
    {0, "cpp-output .* -g1 ", DRY("-lineinfo a.cu")},
    {0, "-Wall -Wextra -fopenmp .*-c ", DRY("-Xcompiler -Wall,-Wextra --compiler-options=-fopenmp -c a.cu")},
    /* nvcc has a shell read them: quotes inside, as PyTorch passes them */
    {0, " -fPIC -Wall .*-c ", DRY("-Xcompiler \"'-fPIC',-Wall\" -c a.cu")},
    {0, " '-DTEXT=\"a,b c\"' -O1 .*-c ", DRY("--compiler-options '\"-DTEXT=\\\"a,b c\\\"\" -O1' -c a.cu")},
    {0, "a.out .*-fopenmp -Wl,-rpath -Wl,x -Lfolder -lm ",
     DRY("-fopenmp -Xlinker -rpath,x -L folder -l m -lcudart a.cu")},
    {0, "-ffp-contract=off", DRY("--fmad=false a.cu")},
    {0, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", DRY("-default-stream per-thread a.cu")},
    {0, "-MD -MF obj/a.d -MT obj/a.o ", DRY("-MD -c -o obj/a.o a.cu")},
    {0, "-MD -MP -MF x.d -MT y ", DRY("-MD -MP -MF x.d -MT y -c a.cu")},
    {0, "-MMD -MT program -MF program.d ", DRY("-MMD -o program a.cu")},
    {0, "^.. (clan)?g\\+\\+ -MM -x c\\+\\+", DRY("-MM a.cu")},
    {0, "^.. ar rcs lib.a .*/1-a.o", DRY("-lib -o lib.a a.cu")},
    {0, "^.. (gcc|clang) -x c -c /dev/null -o a_dlink.o", DRY("-dlink a.o b.o")},
    {0, "^.. (gcc|clang) -isystem .* -c c.c -o c.o", DRY("-c c.c")},
    {0, "-x c\\+\\+ .* text.txt -o", DRY("-x cu text.txt")},
    {0, "-Werror .*-c ", DRY("-c -Werror a.cu")},
    {0, "-Werror=unused .*-c ", DRY("-c -Werror=unused a.cu")},
    {0, "^0$", "$cucc --dryrun -c -Werror all-warnings,reorder -rdc true a.cu 2>&1 | grep -c -e -Werror; true"},
    {0, "cucc-compile'? --no-split --fibers=all (--clang )?--kernels", DRY("--fibers --no-split a.cu")},
    {0, "cucc-compile'? --relaxed-constexpr ", DRY("-expt-relaxed-constexpr a.cu")},
    {0, "^2$", "$cucc --dryrun --expt-relaxed-constexpr a.cu 2>&1 | grep -ci relaxed.constexpr"},
    {0, "^0$", "$cucc --dryrun -expt-extended-lambda a.cu 2>&1 | grep -ci relaxed.constexpr; true"},
    {0, "^$", "$cucc --expt-relaxed-constexpr -c constant.cu 2>&1"},
    {1, "^constant.cu:6: error: calling a constexpr __host__ function", "$cucc -c constant.cu 2>&1"},
    /* what is shown can be typed */
    {0, "'-DTEXT=\"a b\"'|-D 'TEXT=\"a b\"'", DRY("'-DTEXT=\"a b\"' a.cu")},
    {0, "'it'.''s \\$1.cu'", DRY("\"it's \\$1.cu\"")},
    /* files of options */
    {0, "-D 'TEXT=\"a b\"' -D C=x -O1 .*a.cu", DRY("-optf options.txt")},
    {0, "-D 'TEXT=\"a b\"' -D C=x -D D .*a.cu", DRY("--options-file=options.txt -DD")},
    {1, "names itself", DRY("-optf round.txt")},
    {0, "-D FIRST -D SECOND -D 'THIRD=\"a b\"' ",
     "NVCC_PREPEND_FLAGS=-DFIRST NVCC_APPEND_FLAGS='-D \"THIRD=\\\"a b\\\"\" -c' $cucc --dryrun -DSECOND a.cu 2>&1"},
    {1, "cannot read the options file gone.txt", DRY("-optf gone.txt a.cu")},
    /* what is not there */
    {1, "^cucc: unknown option --no-such-option \\(cucc --help\\)$", "$cucc --no-such-option a.cu"},
    {1, "^cucc: unknown option -O9 ", "$cucc -O9 a.cu"},
    {1, "^cucc: option -o wants a value$", "$cucc a.cu -o"},
    {1, "^cucc: no input files", "$cucc -O3"},
    {1, "^cucc: -optix-ir: there is no GPU code", "$cucc -optix-ir a.cu"},
    {1, "^cucc: -o with -cubin takes one input file", "$cucc -cubin -o x.cubin a.cu b.cu"},
    {1, "^cucc: library cudnn_adv is not available", "$cucc a.cu -lcudnn_adv"},
    {1, "^cucc: a.txt: not a CUDA, C or C\\+\\+ file", "$cucc a.txt"},
    {1, "^cucc: -o with -c takes one input file", "$cucc -c -o x.o a.cu b.cu"},
    {1, "standard input", "$cucc -x cu -"},
    {1, "no-such-compiler.*not found", "CUCC_BUILD=$out/built CUCC_CXX=no-such-compiler $cucc --version"},
    {1, "^cucc: no-such-compiler: No such file", "CUCC_BUILDS=no CUCC_CXX=no-such-compiler $cucc --version"},
    {0, "release 13.0", "$cucc --version"},
    {0, "^cucc [0-9]+\\.[0-9]+\\.[0-9]+: ", "$cucc --version"},
    {0, "usage: cucc", "$cucc --help"},
    /* relative where the call was */
    {0, "-isystem cpudevice/include ", "cd \"$root\" && cpudevice/cucc --dryrun a.cu 2>&1 | grep -vF \"$root\""},
};

/* How often g++ compiles, then cucc's exit status. */
#define RUNS(arguments)                                                                                                \
    "$cucc -v -O0 -c " arguments " 2>said; s=$?; echo $(grep -c '^#. .*cpp-output' said) runs, status $s"

/* g++'s words, or clang's */
#define UNDECLARED(place) "^" place ": error: ('missing' was not declared|use of undeclared identifier 'missing')"

/* A kernel with a text that is there 120,000 times. */
#define DEEP(before, text, after)                                                                                      \
    {                                                                                                                  \
        1, "^cucc: error: an expression or a statement is nested so deeply",                                           \
            "{ echo '__global__ void k(int *x, int n) { __syncthreads(); " before "'; yes '" text                      \
            "' | head -n 120000; echo '" after " }'; } >deep.cu; $cucc -c deep.cu"                                     \
    }

static const CommandCase mistakes[] = {
    DEEP("x[0] = n", "+ n", ";"),
    DEEP("x[0] =", "-", "n;"),
    DEEP("x[0] =", "n ? 1 :", "n;"),
    DEEP("", "if (n)", "x[0] = 1;"),
    DEEP("", "if (n) x[0] = 1; else", "x[0] = 2;"),
    {0, "^1 runs, status 0$", RUNS("good.cu")},
    {0, "^1 runs, status 1$", RUNS("host.cu")},
    {0, "^1 runs, status 1$", RUNS("loop.cu")},
    {0, "^1 runs, status 1$", RUNS("device.cu")},
    {0, "^1 runs, status 1$", RUNS("host_and_barrier.cu")},
    {0, "^1 runs, status 1$", RUNS("barrier.cu")},
    {0, "^1 runs, status 1$", RUNS("loop_type.cu")},
    {0, "^2 runs, status 1$", RUNS("barrier_type.cu")}, /* whose it is, is not plain */
    /* g++ refuses what was printed, not the program: a class whose copies differ lives across a barrier */
    {0, "^2 runs, status 0$", RUNS("judged.cu")},
    {0, "^2 runs, status 1$", RUNS("judged_and_wrong.cu")},
    {0, "^1 runs, status 0$", RUNS("parameter.cu")},
    /* ... and that stays so in a folder with any name */
    {0, "^2 runs, status 0$", "cp judged.cu \"$odd\"; cd \"$odd\"; " RUNS("./judged.cu")},
    {0, "^2 runs, status 0$", RUNS("\"$odd/judged.cu\"")},
};

static const CommandCase words[] = {
    /* one error each, with the line, and nothing that the program does not have */
    {0, "^1$", "$cucc -O0 -c loop.cu 2>&1 | grep -c error"},
    {1, UNDECLARED("loop.cu:4"), "$cucc -O0 -c loop.cu"},
    {1, UNDECLARED("barrier.cu:7"), "$cucc -O0 -c barrier.cu"},
    {0, "^0$",
     "for f in loop loop_type device barrier barrier_type; do $cucc -O0 -c $f.cu; done 2>&1 | grep -c -e cpudev -e "
     "lambda; true"},
    {1, "^large.cu:3: error: static.assert.* \"?uses too much shared data \\(0xc000 bytes max\\)",
     "$cucc -O0 -DBYTES=49153 -c large.cu"},
    {0, "^0$", "$cucc -O0 -DBYTES=49152 -c large.cu 2>&1 | wc -l"},
    /* no header of cucc's, and a function's forms at the program's own line */
    {0, "^1 errors, 0 elsewhere$",
     "$cucc -O0 -c forms.cu 2>said; echo $(grep -c error: said) errors, $(grep -vc '^forms.cu:' said) elsewhere"},
    {1, "^forms.cu:4: note: candidate", "$cucc -O0 -c forms.cu"},
    /* what nvcc takes is not told, neither alone nor beside a mistake; one more try is needed with g++ up to 12 */
    {0, "^0$", "$cucc -O0 -Wall -c meaning.cu 2>&1 | wc -l"},
    {0, "^1 errors, 0 elsewhere$",
     "$cucc -O0 -DWRONG -c meaning.cu 2>said; echo $(grep -c error: said) errors, $(grep -vc '^meaning.cu:2:' said) "
     "elsewhere"},
};

/* What clang says in other words, or not at all. */
static const CommandCase headings[] = {
    {0, "^2$", "for check in '' --check; do $cucc $check -O0 -c sized.cu; done 2>&1 | grep -c error"},
    {1, "^sized.cu:3: error: a variable length array cannot have static storage duration$", "$cucc -O0 -c sized.cu"},
    {1, "^sized.cu:3: note: .*extern __shared__", "$cucc --check -O0 -c sized.cu"},
    {1, "^loop.cu: In kernel 'k':$", "$cucc -O0 -c loop.cu"},
    {1, "^host.cu: In lambda function:$", "$cucc -O0 -c host.cu"}, /* the program's own */
    {0, "^In kernel k$",
     "$cucc -O0 -Wall -c warning.cu 2>&1 | sed -n \"s/^warning.cu: In kernel '\\(.*\\)':/In kernel \\1/p\""},
};

/* What follows from a message does not hang on its words: g++ as it might speak in another language. The compiler itself is
 * found in the PATH of before: where that is ccache, it looks for the next of its name. */
#define FOREIGN(command) "export compiler=$(command -v g++) path=$PATH; PATH=$out/foreign:$PATH; " command

static const CommandCase foreign[] = {
    {0, "^loop.cu:4: Fehler: 'missing' nicht bekannt", FOREIGN("$cucc -O0 -c loop.cu 2>&1; true")},
    {0, "^loop.cu: In kernel 'k':$", FOREIGN("$cucc -O0 -c loop.cu 2>&1; true")},
    {0, "^host.cu: Hier:$", FOREIGN("$cucc -O0 -c host.cu 2>&1; true")},
    {0, "^1 runs, status 1$", FOREIGN(RUNS("host.cu"))},
    {0, "^1 runs, status 1$", FOREIGN(RUNS("loop.cu"))},
    {0, "^1 runs, status 1$", FOREIGN(RUNS("loop_type.cu"))},
    {0, "^2 runs, status 1$", FOREIGN(RUNS("barrier_type.cu"))},
    {0, "^2 runs, status 0$", FOREIGN(RUNS("judged.cu"))},
    {0, "^0$", FOREIGN("$cucc -O0 -Wall -c meaning.cu 2>&1 | wc -l")},
    {0, "^1 said, 0 elsewhere$",
     FOREIGN("$cucc -O0 -DWRONG -c meaning.cu 2>said; echo $(grep -c Fehler: said) said, $(grep -vc '^meaning.cu:2:' "
             "said) elsewhere")},
    {0, "^1 said, 0 elsewhere$",
     FOREIGN("$cucc -O0 -c forms.cu 2>said; echo $(grep -c Fehler: said) said, $(grep -vc '^forms.cu:' said) "
             "elsewhere")},
    {0, "^1$", FOREIGN("$cucc -O0 -c sized.cu 2>&1 | grep -c variable.length")},
};

static const CommandCase places[] = {
    {0, "^11 22$", "cd \"$odd\" && $cucc -O0 -o asks asks.cu && ./asks"},
    {0, "^11 22$", "$cucc -O0 -o \"$odd/asks2\" \"$odd/asks.cu\" && \"$odd/asks2\""},
    /* nothing stays behind: of what succeeds, of what fails, of what is ended */
    {0, "^0$",
     "mkdir tmp; export TMPDIR=$out/tmp; $cucc -O0 -c good.cu; $cucc -O0 -c loop.cu 2>/dev/null; "
     "$cucc --dryrun good.cu 2>/dev/null; ls tmp | wc -l"},
    {0, "^status 1, 0 left$",
     "mkdir -p tmp; export TMPDIR=$out/tmp name=${CUCC_CXX:-g++}; export compiler=$(command -v $name) path=$PATH; "
     "ln -s compiler slow/$name; PATH=$out/slow:$PATH $cucc -c good.cu 2>/dev/null & "
     "for i in $(seq 1200); do [ -s started ] || sleep 0.05; done; kill $!; wait $!; echo status $?, $(ls tmp | wc -l) "
     "left"},
    {0, "^gone$", "sleep 0.2; kill -0 $(cat started) 2>/dev/null || echo gone"},
    /* Meson runs what it has compiled by nvcc, its name in quotes */
    {0, "^11 22$", "$cucc -O0 -o asks3 asks.cu && $cucc --run '\"asks3\"'"},
    {1, "not a CUDA, C or C\\+\\+ file", "$cucc --run options.txt"},
    /* a first use says what takes its time, the second says nothing; with objects that are compiled already */
    {0, "^cucc: first use: building cucc-compile, libcudacpu.a \\(once; 10 to 60 seconds\\)$",
     "mkdir first; (cd ${CUCC_BUILD:-$root/build/cpu} && cp -rp objects built_for \"$out/first\") 2>/dev/null; "
     "export CUCC_BUILD=$out/first CUCC_RUNTIME_FLAGS=-O0; $cucc -c -O0 good.cu 2>&1; $cucc -c -O0 good.cu 2>&1 | sed "
     "'s/^/again: /'"},
    /* a compiler may be several words */
    {0, "^#. env -u X g\\+\\+ -E -x c\\+\\+ ", "CUCC_BUILDS=no CUCC_CXX='env -u X g++' " DRY("good.cu")},
    {0, "^1$", "CUCC_CXX='env -u X g++' \"$root/cpudevice/built_for.sh\" | grep -c ' env -u X g++ '"},
};

/* Chinese, where COURSE_LANG or LANG asks for it; nvcc's and g++'s words stay, ours are behind them. */
static const CommandCase chinese[] = {
    {1, "^cucc：没有输入文件（用法见 cucc --help）$", "COURSE_LANG=zh $cucc 2>&1"},
    {1, "^cucc: no input files \\(cucc --help\\)$", "COURSE_LANG=en LANG=zh_CN.UTF-8 $cucc 2>&1"},
    {1, "^cucc：选项文件 round.txt 引用了自己$", "env -u COURSE_LANG LANG=zh_CN.UTF-8 $cucc -optf round.txt 2>&1"},
    {0, "^  --build          只编译运行时库$", "COURSE_LANG=zh $cucc --help 2>&1"},
    {1, "^constant.cu:6: error: calling a .*（__global__ 函数“k”不能调用 constexpr 的 __host__ 函数“one”",
     "COURSE_LANG=zh $cucc -c constant.cu 2>&1"},
    {1, "^loop.cu：在核函数“k”里：$", "COURSE_LANG=zh $cucc -c loop.cu 2>&1"},
    {1, "^sized.cu:3: note: 启动时才知道大小的数组", "COURSE_LANG=zh $cucc -c sized.cu 2>&1"},
};

/* What only strict programs ask g++ for: a warning would be of cucc's headers, or of what it puts round the program. */
#define STRICT                                                                                                         \
    "-Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wold-style-cast -Wshadow "    \
    "-Wcast-qual -Wfloat-equal -Wundef"

static const CommandCase strict[] = {
    {0, "^$", "$cucc -c " STRICT " strict.cu"},
    {0, "^$", "$cucc -c -O0 " STRICT " strict.cu"},
    {0, "^$", "$cucc -c --check " STRICT " strict.cu"},
};

/* How what is compiled runs. */
static const CommandCase programs[] = {
    /* what g++ 12 to 14 do wrong is compiled in another way: gathers.c */
    {0, "",
     "cd \"$root\" && $cucc -O3 -Icpudevice/tests/conformance -o $out/gathers "
     "cpudevice/tests/conformance/gathers/product.cu && "
     "$out/gathers"},
    /* ... and nothing else is: how g++ says what it has made is known */
    {0, "^0$", "$cucc -v -O3 -c good.cu 2>&1 | grep -c no-tree-loop-vectorize; true"},
    /* without optimisation, what is only read needs no place in memory */
    {0, "",
     "cd \"$root\" && $cucc -O0 -Icpudevice/tests/conformance -o $out/constants "
     "cpudevice/tests/conformance/arithmetic/constants_beside_operators.cu && "
     "$out/constants"},
    /* older C++, as the build files of older programs ask for it */
    {0, "^31 3 7$", "$cucc -std=c++11 -o old old.cu && ./old"},
    {0, "^31 3 7$", "$cucc --std=c++14 --check -o old old.cu && ./old 2>/dev/null"},
    /* a program's header may be named as ours are */
    {0, "^100$", "$cucc -o headers headers.cu && ./headers"},
};

#define JUDGED                                                                                                         \
    "struct S {\n    int v;\n    S() : v(1) {}\n    S(const S &o) : v(o.v) {}\n};\n"                                   \
    "template <class T> __global__ void k(T *p, int *q)\n{\n    __shared__ int s[32];\n    T x = p[threadIdx.x];\n"    \
    "    s[threadIdx.x] = 1;\n    __syncthreads();\n    x.v += 1;\n    q[threadIdx.x] = s[0] + x.v;\n}\n"

static const struct {
    const char *name, *content;
} files[] = {
    {"options.txt", "'-DTEXT=\"a b\"' -DC=\\x\n-O1\n  a.cu\n"},
    {"round.txt", "-optf round.txt\n"},
    {"strict.cu",
     "#include <cooperative_groups.h>\n#include <cublas_v2.h>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
     "#include <cuda_fp8.h>\n#include <curand_kernel.h>\n#include <mma.h>\n"
     "__device__ int counter;\n__constant__ float factors[4];\n"
     "__global__ void scale(float *x, const __half *h, int n) {\n"
     "    __shared__ float tile[64];\n    extern __shared__ float more[];\n"
     "    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);\n"
     "    tile[threadIdx.x % 64] = __half2float(h[i % n]);\n    more[threadIdx.x % 32] = 0;\n"
     "    __syncthreads();\n"
     "    if (i < n)\n"
     "        x[i] = fmaf(x[i], tile[0], sqrtf(__shfl_sync(0xffffffffU, more[0], 0)));\n"
     "    atomicAdd(x, 1.0f + factors[1]);\n    atomicAdd(&counter, 1);\n}\n"
     "int main() {\n    float *x;\n    cudaMalloc(&x, 64 * sizeof *x);\n"
     "    scale<<<2, 32, 128>>>(x, nullptr, 64);\n    cudaFree(x);\n}\n"},
    {"good.cu", "__global__ void k(int *p) { p[threadIdx.x] = 1; }\nint main() { k<<<1, 32>>>(0); }\n"},
    {"large.cu", "__global__ void k(int *p)\n{\n    __shared__ char s[BYTES];\n    s[threadIdx.x] = 1;\n"
                 "    p[threadIdx.x] = s[threadIdx.x];\n}\nint main() {}\n"},
    {"forms.cu", "__global__ void k(float *p) { p[0] = 1; }\nint main()\n{\n    float *p = max(1.0f, &p);\n}\n"},
    {"sized.cu", "__global__ void k(float *p, int n)\n{\n    __shared__ float s[n];\n    int i = threadIdx.x;\n"
                 "    s[i] = p[i];\n    __syncthreads();\n    p[i] = s[n - 1 - i];\n}\nint main() {}\n"},
    {"host.cu", "__global__ void k(int *p) { p[threadIdx.x] = 1; }\nint main()\n{\n    k<<<1, 32>>>(0);\n"
                "    auto f = [] { return missing; };\n}\n"},
    {"device.cu",
     "__device__ int f(int x) { return missing; }\n__global__ void k(int *p)\n{\n    __shared__ int s[32];\n"
     "    s[threadIdx.x] = 1;\n    __syncthreads();\n    p[threadIdx.x] = s[0];\n}\nint main() {}\n"},
    {"loop.cu", "__global__ void k(int *p)\n{\n    int i = threadIdx.x;\n    p[i] = missing;\n}\nint main() {}\n"},
    {"barrier.cu", "__global__ void k(int *p)\n{\n    __shared__ int s[32];\n    int i = threadIdx.x;\n    s[i] = 1;\n"
                   "    __syncthreads();\n    p[i] = s[0] + missing;\n}\nint main() {}\n"},
    {"loop_type.cu", "__global__ void k(int *p)\n{\n    int i = threadIdx.x;\n    p[i] = p;\n}\nint main() {}\n"},
    {"barrier_type.cu",
     "__global__ void k(int *p)\n{\n    __shared__ int s[32];\n    int i = threadIdx.x;\n    s[i] = 1;\n"
     "    __syncthreads();\n    p[i] = s;\n}\nint main() {}\n"},
    {"host_and_barrier.cu", "__global__ void k(int *p)\n{\n    __shared__ int s[32];\n    s[threadIdx.x] = 1;\n"
                            "    __syncthreads();\n    p[threadIdx.x] = s[0];\n}\nint main() { missing(); }\n"},
    {"parameter.cu",
     "template <class T> __global__ void k(T *p, T *q)\n{\n    __shared__ T s[32];\n    q += blockIdx.x;\n"
     "    s[threadIdx.x] = p[threadIdx.x];\n    __syncthreads();\n    q[threadIdx.x] = s[31 - threadIdx.x];\n}\n"
     "int main() { k<float><<<1, 32>>>((float *)0, (float *)0); }\n"},
    {"meaning.cu",
     "#ifdef WRONG\nint *wrong = 3;\n#endif\nstruct T { int v; };\nstruct A {\n    T t;\n    typedef int T;\n"
     "};\nint main() {}\n"},
    {"warning.cu", "__global__ void k(int *p)\n{\n    int one;\n    int two;\n    p[0] = 1;\n}\nint main() {}\n"},
    {"constant.cu", "#ifdef __CUDACC_RELAXED_CONSTEXPR__\n#define RELAXED 1\n#else\n#define RELAXED 0\n#endif\n"
                    "constexpr int one() { return RELAXED; } __global__ void k(int *p) { *p = one(); }\n"
                    "static_assert(one() == 1, \"the macro\");\nint main() {}\n"},
    {"asks.cu", "#include <cstdio>\n__host__ __device__ int side()\n{\n#ifdef __CUDA_ARCH__\n    return 11;\n#else\n"
                "    return 22;\n#endif\n}\n__global__ void k(int *p) { *p = side(); }\nint main()\n{\n    int *p;\n"
                "    cudaMallocManaged(&p, 4);\n    k<<<1, 1>>>(p);\n    cudaDeviceSynchronize();\n"
                "    printf(\"%d %d\\n\", *p, side());\n}\n"},
    {"judged.cu", JUDGED "int main() { k<<<1, 32>>>((S *)0, (int *)0); }\n"},
    {"judged_and_wrong.cu", JUDGED "int main() { k<<<1, 32>>>((S *)0, (int *)0); missing(); }\n"},
    {"old.cu",
     "#include <cooperative_groups.h>\n#include <cstdio>\n#include <cuda_fp16.h>\n#include <curand_kernel.h>\n"
     "namespace cg = cooperative_groups;\n__global__ void k(int *p, int n)\n{\n    __shared__ int s[32];\n"
     "    cg::thread_block block = cg::this_thread_block();\n    curandState state;\n"
     "    curand_init(1, threadIdx.x, 0, &state);\n    int two = curand_uniform(&state) > 0 ? 2 : 0;\n"
     "    s[threadIdx.x] = n;\n    block.sync();\n"
     "    p[threadIdx.x] = cg::thread_rank(block) + __half2int_rn(__float2half(0.0f)) + s[31] - n;\n"
     "    if (threadIdx.x == 0)\n        asm(\"add.s32 %0, %1, 5;\" : \"=r\"(p[32]) : \"r\"(two));\n}\n"
     "int main()\n{\n    int *p;\n    cudaMallocManaged(&p, 33 * 4);\n    k<<<1, 32>>>(p, 9);\n"
     "    cudaDeviceSynchronize();\n    printf(\"%d %d %d\\n\", p[31], p[3], p[32]);\n    cudaFree(p);\n}\n"},
    {"slow/include/vector_add.cuh",
     "template <class T> __global__ void add(T *a, int n)\n{\n"
     "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        a[i] += 1;\n}\n"},
    {"headers.cu", "#include \"slow/include/vector_add.cuh\"\n#include <cstdio>\nint main()\n{\n    int *a;\n"
                   "    cudaMallocManaged(&a, 400);\n    for (int i = 0; i < 100; i++)\n        a[i] = i;\n"
                   "    add<<<1, 128>>>(a, 100);\n    cudaDeviceSynchronize();\n    printf(\"%d\\n\", a[99]);\n}\n"},
    {"tells.c", "#include <stdio.h>\nconst char *name = \"COLLECT_GCC_OPTIONS\";\nint main(int n, char **word)\n{\n"
                "    char says[64];\n    FILE *f = n > 1 ? fopen(\"says\", \"r\") : NULL;\n"
                "    return !f || !fgets(says, sizeof says, f) || puts(word[1][5] == 'v' ? \"12\" : says) < 0;\n}\n"},
    {"tells.sh", "#!/bin/sh\n# COLLECT_GCC_OPTIONS\n[ $1 = -dumpversion ] && echo 12 || cat says\n"},
    {"slow/compiler", "#!/bin/sh\nexport PATH=\"$path\"\ncase $* in -E*) ;; *) exec \"$compiler\" \"$@\" ;; esac\necho "
                      "$$ >started\nexec sleep 60\n"},
};

/* Lines of g++'s, with other words where it has its own; what is quoted, and a place, stays. */
static const char *const foreign_compiler =
    "#!/bin/sh\nexport PATH=\"$path\"\nexec 3>&1\n{ \"$compiler\" \"$@\" 2>&1 >&3 || echo failed $? >status.$$; } |\n"
    "sed 's/error: /Fehler: /; s/warning: /Warnung: /; s/note: /Hinweis: /; s/In lambda function/Hier/\n"
    "s/In function/In/; s/In file included from/Aus/; s/static assertion failed/Nein/; s/candidate:/Form:/\n"
    "s/was not declared in this scope/nicht bekannt/; s/invalid conversion from/nicht aus/; s/declaration of/Name/\n"
    "s/changes meaning of/neu:/; s/declared here as/als/; s/isn.t constant/wechselt/; s/storage size of/Umfang von/\n"
    "s/cannot convert/nicht wandelbar:/; s/no matching function for call to/keine Form:/' >&2\n"
    "if [ -e status.$$ ]; then read -r word status <status.$$; rm status.$$; exit \"$status\"; fi\n";

static char root[4096], out[32];

/* Each test case has a folder of its own, so that it can run alone (COURSE_CASE). */
static void set_up(void)
{
    strcpy(out, "/tmp/driverXXXXXX");
    ck_assert_ptr_nonnull(getcwd(root, sizeof root));
    ck_assert_ptr_nonnull(mkdtemp(out));
    setenv("root", root, 1);
    setenv("out", out, 1);
    ck_assert_int_eq(
        system("cpudevice/cucc --build && cd \"$out\" && mkdir \"a b'\\\"\\$#;课程\" slow slow/include foreign"), 0);
    ck_assert_int_eq(chdir(out), 0);
    char cucc[4200];
    snprintf(cucc, sizeof cucc, "%s/cpudevice/cucc", root);
    ck_assert_int_eq(symlink(cucc, "cucc"), 0); /* the commands name it without quotes */
    snprintf(cucc, sizeof cucc, "%s/cucc", out);
    setenv("cucc", cucc, 1);
    setenv("odd", "a b'\"$#;课程", 1);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *f = fopen(files[i].name, "w");
        ck_assert_ptr_nonnull(f);
        fputs(files[i].content, f);
        fclose(f);
    }
    ck_assert_int_eq(chmod("slow/compiler", 0777), 0);
    ck_assert_int_eq(chmod("tells.sh", 0777), 0);
    FILE *f = fopen("foreign/g++", "w");
    ck_assert_ptr_nonnull(f);
    fputs(foreign_compiler, f);
    fclose(f);
    ck_assert_int_eq(chmod("foreign/g++", 0777), 0);
    ck_assert_int_eq(system("cp asks.cu \"$odd\""), 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return remove(path);
}

static void tear_down(void)
{
    ck_assert_int_eq(chdir(root), 0);
    nftw(out, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

START_TEST(of_options) { command_holds(&options[_i]); }
END_TEST
START_TEST(of_mistakes) { command_holds(&mistakes[_i]); }
END_TEST
START_TEST(of_words) { command_holds(&words[_i]); }
END_TEST
START_TEST(of_headings)
{
    const char *compiler = getenv("CUCC_CXX");
    if (compiler && strstr(compiler, "clang")) {
        test_skip("clang's messages have no heading");
        return;
    }
    command_holds(&headings[_i]);
}
END_TEST
START_TEST(of_foreign)
{
    const char *compiler = getenv("CUCC_CXX");
    if (compiler && strcmp(compiler, "g++")) {
        test_skip("the words of g++");
        return;
    }
    command_holds(&foreign[_i]);
}
END_TEST
START_TEST(of_places) { command_holds(&places[_i]); }
END_TEST
START_TEST(of_chinese) { command_holds(&chinese[_i]); }
END_TEST
START_TEST(of_strict) { command_holds(&strict[_i]); }
END_TEST
START_TEST(of_programs) { command_holds(&programs[_i]); }
END_TEST

static void add_case(Suite *s, const char *name, const TTest *test, size_t count)
{
    TCase *t = tcase_create(name);
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, test, 0, (int)count);
    suite_add_tcase(s, t);
}

int main(void)
{
    Suite *s = suite_create("driver");
    add_case(s, "options", of_options, sizeof options / sizeof options[0]);
    add_case(s, "mistakes", of_mistakes, sizeof mistakes / sizeof mistakes[0]);
    add_case(s, "words", of_words, sizeof words / sizeof words[0]);
    add_case(s, "headings", of_headings, sizeof headings / sizeof headings[0]);
    add_case(s, "foreign", of_foreign, sizeof foreign / sizeof foreign[0]);
    add_case(s, "places", of_places, sizeof places / sizeof places[0]);
    add_case(s, "chinese", of_chinese, sizeof chinese / sizeof chinese[0]);
    add_case(s, "strict", of_strict, sizeof strict / sizeof strict[0]);
    add_case(s, "programs", of_programs, sizeof programs / sizeof programs[0]);
    return run_suite(s);
}
