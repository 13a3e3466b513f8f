/* translate.c: one file to an object. CUDA goes through the preprocessor, cucc-compile and the C++ compiler; C and C++
 * to their compiler as they are. */
#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- flags ---- */

static const char *standard(const Options *o) { return o->standard ? o->standard : "-std=gnu++17"; }

static bool before_17(const char *standard)
{
    static const char *const old[] = {"98", "03", "0x", "11", "14", "1y"};
    for (size_t i = 0; standard && i < sizeof old / sizeof *old; i++)
        if (ends(standard, old[i]))
            return true;
    return false;
}

static void add_common(const Driver *d, Words *c)
{
    if (d->cccl)
        add_format(c, "-I%s", d->cccl);
    add_format(c, "-I%s/include", d->home);
    add_split(c, "-D__NVCC__ -D__CUCC__=1 -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 -D__CUDACC_VER_BUILD__=0",
              " ");
}

/* The preprocessor's first words, for the device or for the host. */
static void add_preprocessor(const Driver *d, Words *c, bool device)
{
    const Options *o = &d->options;
    const char *arch = o->arch ? o->arch : "900";
    add_split(c, "-x c++", " ");
    add(c, standard(o));
    add_common(d, c);
    add(c, "-D__CUDACC__");
    add_format(c, "-D__CUDA_ARCH_LIST__=%s", arch);
    if (d->cccl) /* types that the CPU device has not */
        add_split(c, "-DCCCL_DISABLE_NVFP8_SUPPORT -DCCCL_DISABLE_NVFP6_SUPPORT -DCCCL_DISABLE_NVFP4_SUPPORT", " ");
    add(c, "-D__CUDACC_EXTENDED_LAMBDA__");
    if (o->relaxed_constexpr)
        add(c, "-D__CUDACC_RELAXED_CONSTEXPR__");
    if (o->check)
        add_split(c, "-D__CUCC_CHECK__=1 -include cpudev_check_pre.h", " ");
    if (device)
        add_format(c, "-D__CUDA_ARCH__=%s", arch);
    if (device && !strcmp(arch, "900")) /* with what only sm_90a has */
        add(c, "-D__CUDA_ARCH_FEAT_SM90_ALL");
    add_split(c, "-include cuda_runtime.h", " ");
    add_words(c, &o->pp);
}

/* The target and the file of -MD, which the preprocessor would derive from temporary names. */
static void add_dependencies(const Options *o, Words *c, const char *object)
{
    if (!o->wants_deps)
        return;
    if (!o->dep_file) {
        const char *name = strrchr(object, '/'), *dot = strrchr(name ? name : object, '.');
        add(c, "-MF");
        add_format(c, "%.*s.d", dot ? (int)(dot - object) : (int)strlen(object), object);
    }
    if (!o->has_dep_target) {
        add(c, "-MT");
        add(c, object);
    }
}

/* The first number of the C++ compiler's version, asked for once. */
static int compiler_version(Driver *d)
{
    if (!d->cxx_version) {
        Words ask = {0};
        add_words(&ask, &d->cxx);
        add(&ask, "-dumpversion");
        d->cxx_version = atoi(output_of(d, &ask));
    }
    return d->cxx_version;
}

static void add_code_generation(Driver *d, Words *c)
{
    const Options *o = &d->options;
    bool position_independent = o->shared || has(&o->cflags, "-fPIC") || has(&o->cflags, "-fpic");
    add(c, o->optimise ? o->optimise : o->check ? "-O2" : "-O3");
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
              "-fsanitize=thread",
              " ");
    /* clang: of wider vectors it tells nothing; an atomic's result stands behind it (checker/results.c); of its DWARF 5
     * binutils 2.40's addr2line does not read which calls were inlined. */
    if (d->clang) {
        add_split(c,
                  "-gdwarf-4 -fsanitize=array-bounds -fno-vectorize -fno-slp-vectorize "
                  "-mllvm -tsan-distinguish-volatile=1 -mllvm -tsan-instrument-func-entry-exit=0 "
                  "-mllvm -tsan-instrument-read-before-write=1 -mllvm -disable-block-placement",
                  " ");
        return;
    }
    /* Equal code at the ends of two branches stays apart, for each access has its own line; and no load leaves its loop,
     * for then it would stand before the conditions in it as well, and a thread would seem to read what it never does. */
    add_split(c,
              "-fsanitize=bounds -fno-aggressive-loop-optimizations -fno-tree-sra -fno-crossjumping "
              "-fno-tree-tail-merge -fno-tree-loop-im",
              " ");
    if (compiler_version(d) != 10) /* which knows neither, and takes a volatile access for any other */
        add_split(c, "--param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0", " ");
}

/* ---- CUDA ---- */

/* What one file needs on its way, all in the driver's temporary folder. */
typedef struct Way {
    const char *file, *object;
    const char *device, *host; /* preprocessed; host is NULL if the program does not ask for __CUDA_ARCH__ */
    const char *out, *messages, *kernels;
    const char *loops; /* what g++ tells of the loops that it has vectorised */
    Words user_files;
} Way;

/* `more`: further words; `err`: the file for messages, or NULL. */
static int preprocess(Driver *d, const Way *w, bool device, const char *more, const char *err)
{
    const Options *o = &d->options;
    Words c = {0};
    add_words(&c, &d->cxx);
    add(&c, "-E");
    add_preprocessor(d, &c, device);
    if (device)
        add_dependencies(o, &c, w->object);
    else if (o->wants_deps) {
        add(&c, "-MF");
        add_format(&c, "%s/host.d", d->tmp);
    }
    if (more)
        add_split(&c, more, " ");
    add(&c, o->optimise ? o->optimise : "-O3");
    add_words(&c, &d->machine);
    add_words(&c, &o->cflags);
    if (o->debug)
        add(&c, o->debug);
    if (o->check)
        add(&c, "-fsanitize=thread");
    add(&c, w->file);
    add(&c, "-o");
    add(&c, device ? w->device : format("%s/host.ii", d->tmp));
    return run(d, &c, &(Redirect){.err = err});
}

/* The first time: what the headers are is not known yet. */
static int preprocess_first(Driver *d, const Way *w)
{
    if (name_cccl(d))
        return preprocess(d, w, true, NULL, NULL);
    const int status = preprocess(d, w, true, NULL, w->messages);
    char *messages = d->options.dry_run ? NULL : read_file(w->messages, NULL);
    if (d->options.dry_run)
        return 0;
    if (choose_cccl(d, w->device, status ? messages : NULL))
        return d->cccl ? preprocess(d, w, true, NULL, NULL) : 1;
    if (messages)
        fputs(messages, stderr);
    free(messages);
    return status;
}

/* The text for g++; `fibers` are the numbers of kernels that it has refused, or "all". */
static int rewrite(Driver *d, const Way *w, const Words *fibers)
{
    const Options *o = &d->options;
    Words c = {0};
    add_format(&c, "%s/cucc-compile", d->out);
    if (o->check)
        add(&c, "--check");
    if (o->no_split)
        add(&c, "--no-split");
    if (fibers->n) {
        char *list = format("--fibers=%s", fibers->word[0]);
        for (int i = 1; i < fibers->n; i++)
            list = format("%s,%s", list, fibers->word[i]);
        add(&c, list);
    }
    if (d->clang)
        add(&c, "--clang");
    if (o->relaxed_constexpr)
        add(&c, "--relaxed-constexpr");
    if (o->image)
        add(&c, "--image");
    add_format(&c, "--kernels=%s", w->kernels);
    if (w->host) {
        add(&c, "--host");
        add(&c, w->host);
    }
    return run(d, &c, &(Redirect){.in = w->device, .out = w->out});
}

/* All but those that were tried and are right: see gathers.c. */
static bool may_gather_by_mask(Driver *d)
{
    return !d->clang && compiler_version(d) != 10 && compiler_version(d) != 16;
}

/* What g++ is asked for, but for the files. */
static Words compiler_options(Driver *d)
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
    if (d->cccl &&
        !d->clang) /* CCCL's members are named like the templates they use, which g++ tells in its headers too */
        add(&c, "-fpermissive");
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

/* `text`: the one of w->out, whole or with its beginning precompiled. */
static int compile_text(Driver *d, const Way *w, const Words *options, const char *text)
{
    Words c = {0};
    add_words(&c, &d->cxx);
    add_split(&c, "-x c++-cpp-output", " ");
    add_words(&c, options);
    if (!d->scalar_loops && may_gather_by_mask(d))
        add_format(&c, "-fdump-tree-vect=%s", w->loops);
    add(&c, "-c");
    add(&c, text);
    add(&c, "-o");
    add(&c, w->object);
    return run(d, &c, &(Redirect){.err = w->messages});
}

/* With what is precompiled of it, unless g++ cannot load that here. Returns the status, and sets what g++ said. */
static int compile_quickly(Driver *d, const Way *w, char **messages)
{
    const Words options = compiler_options(d);
    const char *text = with_precompiled(d, &options, w->out);
    int status = compile_text(d, w, &options, text ? text : w->out);
    *messages = d->options.dry_run ? NULL : read_file(w->messages, NULL);
    if (!text || !status || !*messages || !refused_precompiled(d, *messages))
        return status;
    status = compile_text(d, w, &options, w->out);
    *messages = read_file(w->messages, NULL);
    return status;
}

/* Preprocessed text to an object. What g++ refuses of a kernel that was not left on fibers, it is asked again with that
 * kernel on fibers, unless the error is plainly the program's own: what it says then is about the program as it was
 * written. */
static int translate(Driver *d, Way *w)
{
    Words fibers = {0};
    if (d->options.fibers)
        add(&fibers, "all");
    for (int round = 1;; round++) {
        int status = rewrite(d, w, &fibers);
        if (status)
            return status;
        char *messages;
        status = compile_quickly(d, w, &messages);
        if (!messages)
            return status;
        if (!d->far_offsets &&
            (status ? strstr(messages, "internal compiler error") != NULL : has_far_offsets(w->object))) {
            d->far_offsets = true; /* g++ 12 gives up on some of them itself */
            continue;
        }
        if (!d->scalar_loops && !status && has_mask_gathers(w->loops)) {
            d->scalar_loops = true;
            continue;
        }
        Kernels *kernels = read_kernels(w->kernels);
        if (!status || has(&fibers, "all") || user_error(kernels, messages, &w->user_files)) {
            show_messages(kernels, readable(messages, d->home));
            return status ? 1 : 0;
        }
        if (!refused_kernels(kernels, messages, &fibers) || round >= 4) {
            fibers = (Words){0};
            add(&fibers, "all");
        }
        if (d->options.verbose)
            fprintf(stderr, "#  g++ refused a kernel; again with fewer of them rewritten:\n%s", messages);
    }
}

/* Does the program ask whether it is compiled for the device? */
static bool asks_for_arch(const Words *files)
{
    for (int i = 0; i < files->n; i++) {
        char *text = read_file(files->word[i], NULL);
        bool asks = text && strstr(text, "__CUDA_ARCH__");
        free(text);
        if (asks)
            return true;
    }
    return false;
}

static int compile_cuda(Driver *d, const char *file, const char *object)
{
    Way w = {.file = file,
             .object = object,
             .device = format("%s/in.ii", d->tmp),
             .out = format("%s/out.ii", d->tmp),
             .messages = format("%s/messages", d->tmp),
             .kernels = format("%s/kernels", d->tmp),
             .loops = format("%s/loops", d->tmp)};
    d->far_offsets = d->scalar_loops = false;
    if (preprocess_first(d, &w))
        return 1;
    if (!d->options.dry_run) {
        w.user_files = user_files(w.device, d->home);
        if (asks_for_arch(&w.user_files)) {
            w.host = format("%s/host.ii", d->tmp);
            if (preprocess(d, &w, false, NULL, NULL))
                return 1;
        }
    }
    int status = translate(d, &w);
    if (status != 3)
        return status;
    /* it has inline PTX, whose functions most programs do without; they are C++17 */
    static const char *const ptx = "-include cpudev_ptx.h";
    const char *asked = d->options.standard;
    if (before_17(asked))
        d->options.standard = "-std=gnu++17";
    status = preprocess(d, &w, true, ptx, NULL) || (w.host && preprocess(d, &w, false, ptx, NULL)) || translate(d, &w);
    d->options.standard = asked;
    return status;
}

int compile(Driver *d, const char *file, Language language, const char *object)
{
    const Options *o = &d->options;
    if (language == L_CUDA)
        return compile_cuda(d, file, object);
    Words c = {0};
    add_words(&c, language == L_C ? &d->cc : &d->cxx);
    if (language == L_CXX)
        add(&c, standard(o));
    add_common(d, &c);
    add_words(&c, &o->pp);
    add_dependencies(o, &c, object);
    add(&c, o->optimise ? o->optimise : "-O2");
    if (o->debug)
        add(&c, o->debug);
    add_words(&c, &o->cflags);
    add(&c, "-c");
    add(&c, file);
    add(&c, "-o");
    add(&c, object);
    return run(d, &c, NULL);
}

int preprocess_only(Driver *d, const char *file)
{
    const Options *o = &d->options;
    Words c = {0};
    name_cccl(d);
    add_words(&c, &d->cxx);
    add(&c, o->mode == MODE_DEPENDENCIES ? o->dep_flag : "-E");
    add_preprocessor(d, &c, true);
    if (o->mode == MODE_PREPROCESS)
        add_words(&c, &o->cflags);
    add(&c, file);
    if (o->output) {
        add(&c, "-o");
        add(&c, o->output);
    }
    return run(d, &c, NULL);
}
