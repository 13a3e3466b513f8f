/* flags.c: the words that the preprocessor and the C++ compiler are given. */
#include "driver.h"

#include <string.h>

const char *standard(const Options *o) { return o->standard ? o->standard : "-std=gnu++17"; }

void add_common(const Driver *d, Words *c)
{
    if (d->cccl)
        add_format(c, "-I%s", d->cccl);
    add(c, "-isystem"); /* no warnings of ours beside the program's, as with nvcc */
    add_format(c, "%s/include", d->home);
    add_split(c, "-D__NVCC__ -D__CUCC__=1 -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 -D__CUDACC_VER_BUILD__=0",
              " ");
}

void add_preprocessor(const Driver *d, Words *c, bool device)
{
    const Options *o = &d->options;
    const char *arch = o->arch ? o->arch : "900";
    add_split(c, "-x c++", " ");
    add(c, standard(o));
    add_common(d, c);
    if (!d->clang) /* g++ follows links of system headers, and then their neighbours are others (a tree of links) */
        add(c, "-fno-canonical-system-headers");
    add(c, "-D__CUDACC__");
    add_format(c, "-D__CUDA_ARCH_LIST__=%s", arch);
    if (d->cccl) /* types that the CPU device has not */
        add_split(c, "-DCCCL_DISABLE_NVFP8_SUPPORT -DCCCL_DISABLE_NVFP6_SUPPORT -DCCCL_DISABLE_NVFP4_SUPPORT", " ");
    add(c, "-D__CUDACC_EXTENDED_LAMBDA__");
    if (o->relaxed_constexpr)
        add(c, "-D__CUDACC_RELAXED_CONSTEXPR__");
    if (o->check)
        add_split(c, "-D__CUCC_CHECK__=1 -include cpudev_check_pre.h", " ");
    if (d->flush)
        add(c, "-DCPUDEV_FLUSHES=1");
    if (device)
        add_format(c, "-D__CUDA_ARCH__=%s", arch);
    if (device && !strcmp(arch, "900")) /* with what only sm_90a has */
        add(c, "-D__CUDA_ARCH_FEAT_SM90_ALL");
    add_split(c, "-include cuda_runtime.h", " ");
    add_words(c, &o->pp);
}

static void add_code_generation(Driver *d, Words *c)
{
    const Options *o = &d->options;
    bool position_independent = o->shared || has(&o->cflags, "-fPIC") || has(&o->cflags, "-fpic");
    /* nvcc's level is the host's, its kernels have the highest. g++'s -O2 hardly makes vectors. */
    const bool fast = !o->optimise || (!o->check && !strcmp(o->optimise, "-O2"));
    add(c, !fast ? o->optimise : o->check ? "-O2" : "-O3");
    add_words(c, &d->machine);
    if (d->far_offsets)
        add_split(c, "-fPIC -ftls-model=initial-exec", " ");
    else if (!position_independent) /* thread-local arrays: fastest, and certain to link, in a program */
        add(c, "-ftls-model=local-exec");
    add_split(c, "-fno-math-errno -fno-trapping-math -fno-strict-aliasing", " ");
    if (!d->clang || compiler_version(d) > 11) /* clang 11 has no such option */
        add(c, "-fno-finite-loops");
    /* g++ up to 12 makes a loop over threads eight times for three conditions that are one for all: the transposes took
     * twice as long to compile, and no less to run (13 counts what it makes by itself). */
    if (!d->clang && compiler_version(d) <= 12)
        add_split(c, "--param max-unswitch-level=1", " ");
    if (!o->check) {
        add(c, "-ffp-contract=fast");
        return;
    }
    add_split(c,
              "-g -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-builtin-memcpy -fno-builtin-memset "
              "-fno-builtin-memmove -fsanitize=thread",
              " ");
    /* clang: no vectors of what is not reported; an atomic's result comes after it (checker/race/results.c); of its DWARF 5
     * binutils 2.40's addr2line does not read which calls were inlined. Equal code of two branches stays apart. A loop is
     * not unrolled: each copy of an access would count as an access of its own, and none as repeated. */
    if (d->clang) {
        add_split(c,
                  "-gdwarf-4 -fsanitize=array-bounds -fno-vectorize -fno-slp-vectorize -fno-unroll-loops "
                  "-mllvm -simplifycfg-sink-common=false "
                  "-mllvm -tsan-distinguish-volatile=1 -mllvm -tsan-instrument-func-entry-exit=0 "
                  "-mllvm -tsan-instrument-read-before-write=1 -mllvm -disable-block-placement",
                  " ");
        return;
    }
    /* Equal code at the ends of two branches stays apart, for each access has its own line; and no load leaves its loop,
     * for then it would stand before the conditions in it as well, and a thread would seem to read what it never does.
     * No function takes by value what the program gives it by reference: the caller would read it unseen.
     * The registers that hold variables are not traced: lines and stack variables are all that a report names, and half of
     * the time to compile large kernels went there. */
    add_split(c,
              "-fsanitize=bounds -fno-aggressive-loop-optimizations -fno-tree-sra -fno-crossjumping "
              "-fno-tree-tail-merge -fno-tree-loop-im -fno-ipa-sra -fno-var-tracking",
              " ");
    if (compiler_version(d) >= 16) /* it would have a call read, in place of a local copy, what the copy was made of */
        add(c, "-fno-tree-forwprop");
    if (compiler_version(d) != 10) /* which knows neither, and takes a volatile access for any other */
        add_split(c, "--param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0", " ");
}

bool gathers_by_mask(Driver *d)
{
    return !d->clang && has(&d->machine, "-march=native") && compiler_version(d) >= 12 && compiler_version(d) <= 14;
}

bool may_gather_by_mask(Driver *d) { return !d->clang && compiler_version(d) != 10 && compiler_version(d) != 16; }

Words compiler_options(Driver *d)
{
    const Options *o = &d->options;
    Words c = {0};
    add(&c, standard(o));
    add_code_generation(d, &c);
    if (d->scalar_loops)
        add(&c, "-fno-tree-loop-vectorize");
    if (o->debug)
        add(&c, o->debug);
    add(&c, "-Wno-unknown-pragmas");
    if ((d->cccl || d->permissive) &&
        !d->clang) /* CCCL's members are named like the templates they use, which g++ tells in its headers too */
        add(&c, "-fpermissive");
    if (!d->clang &&
        compiler_version(d) > 12) /* a class may use a name and then declare it; g++ up to 12: permissive */
        add(&c, "-Wno-changes-meaning");
    /* a < b > c: clang 21 takes it for a mistake, nvcc does not */
    add_split(
        &c,
        d->clang ? "-Wno-pass-failed -Wno-error=parentheses -fno-spell-checking -fno-show-column -fno-caret-diagnostics"
                 : "-fno-show-column -fno-diagnostics-show-caret -Wno-psabi", /* a CUtensorMap by value */
        " ");
    add_words(&c, &o->cflags);
    add(&c, "-Wno-shadow"); /* threadIdx is a parameter of what becomes of a kernel */
    if (d->clang)
        add(&c, "-Wno-return-type-c-linkage"); /* of the runtime's, which C++ calls; -Wall would bring it back */
    return c;
}
