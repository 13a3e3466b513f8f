/* translate.c: one file to an object. CUDA goes through the preprocessor, cucc-compile and the C++ compiler; C and C++
 * to their compiler as they are. */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- the standard, and -MD ---- */

static bool before_17(const char *standard)
{
    static const char *const old[] = {"98", "03", "0x", "11", "14", "1y"};
    for (size_t i = 0; standard && i < sizeof old / sizeof *old; i++)
        if (ends(standard, old[i]))
            return true;
    return false;
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

/* ---- CUDA ---- */

/* What one file needs on its way, all in the driver's temporary folder. */
typedef struct Way {
    const char *file, *object;
    const char *device, *host; /* preprocessed; host is NULL if the program does not ask for __CUDA_ARCH__ */
    const char *out, *messages, *kernels;
    const char *loops; /* what g++ reports of the loops that it has vectorised */
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
    if (preprocess_quickly(d, &c, w->file, device ? w->device : w->host))
        return 0;
    add(&c, w->file);
    add(&c, "-o");
    add(&c, device ? w->device : w->host);
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
    if (choose_cccl(d, w->file, w->device, status ? messages : NULL))
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
    if (o->model)
        add(&c, "--model");
    if (o->no_split)
        add(&c, "--no-split");
    if (fibers->n) {
        char *list = format("--fibers=%s", fibers->word[0]);
        for (int i = 1; i < fibers->n; i++)
            list = format("%s,%s", list, fibers->word[i]);
        add(&c, list);
    }
    if (d->flush)
        add(&c, "--flush");
    if (d->clang)
        add(&c, "--clang");
    if (o->relaxed_constexpr)
        add(&c, "--relaxed-constexpr");
    if (strstr(standard(o), "++11") || strstr(standard(o), "++0x"))
        add(&c, "--old-constexpr");
    if (o->image)
        add(&c, "--image");
    add_format(&c, "--kernels=%s", w->kernels);
    if (w->host) {
        add(&c, "--host");
        add(&c, w->host);
    }
    return run(d, &c, &(Redirect){.in = w->device, .out = w->out});
}

static Diagnostics read_messages(const Way *w)
{
    const char *text = read_file(w->messages, NULL);
    return read_diagnostics(text ? text : "");
}

/* clang puts in the checker's calls after most of its optimisations, which have joined copies and accesses, or made some
 * whose size it has no call for (5 bytes). So it is asked for unoptimised code with the calls, and then to optimise that. */
static bool calls_first(const Driver *d) { return d->clang && d->options.check; }

static int optimise(Driver *d, const Words *options, const char *bitcode, const char *object)
{
    Words c = {0};
    add_words(&c, &d->cxx);
    add_words(&c, options);
    add_split(&c, "-fno-sanitize=all -Qunused-arguments -c", " ");
    add(&c, bitcode);
    add(&c, "-o");
    add(&c, object);
    return run(d, &c, NULL);
}

/* `text`: the one of w->out, whole or with its beginning precompiled. */
static int compile_text(Driver *d, const Way *w, const Words *options, const char *text)
{
    const char *made = calls_first(d) ? format("%s/calls.bc", d->tmp) : w->object;
    Words c = {0};
    add_words(&c, &d->cxx);
    add_split(&c, "-x c++-cpp-output", " ");
    add_words(&c, options);
    if (calls_first(d))
        add_split(&c, "-O0 -Xclang -disable-O0-optnone -emit-llvm", " ");
    if (!d->scalar_loops && may_gather_by_mask(d))
        add_format(&c, "-fdump-tree-vect=%s", w->loops);
    if (!d->clang) /* a mistake of its own has a status of its own: GAVE_UP */
        add_split(&c, "-pass-exit-codes -fdiagnostics-color=always", " ");
    add(&c, "-c");
    add(&c, text);
    add(&c, "-o");
    add(&c, made);
    const char *before = getenv("GCC_COLORS");
    before = before ? format("%s", before) : NULL;
    setenv("GCC_COLORS", diagnostic_marks, 1);
    int status = run(d, &c, &(Redirect){.err = w->messages});
    if (!status && calls_first(d))
        status = optimise(d, options, made, w->object);
    if (before)
        setenv("GCC_COLORS", before, 1);
    else
        unsetenv("GCC_COLORS");
    return status;
}

/* What g++'s exit status says under -pass-exit-codes when it has met a mistake of its own. */
enum { GAVE_UP = 4 };

/* With what is precompiled of it, unless g++ cannot load that here. Returns the status, and sets what g++ said. */
static int compile_quickly(Driver *d, const Way *w, Diagnostics *said)
{
    const Words options = compiler_options(d);
    const char *text = with_precompiled(d, &options, w->out);
    int status = compile_text(d, w, &options, text ? text : w->out);
    if (d->options.dry_run)
        return status;
    *said = read_messages(w);
    if (!text || !status || !refused_precompiled(d, said))
        return status;
    status = compile_text(d, w, &options, w->out);
    *said = read_messages(w);
    return status;
}

static void show_refusal(const Diagnostics *said)
{
    fputs("#  g++ refused a kernel; again with fewer of them rewritten:\n", stderr);
    for (int i = 0; i < said->n; i++)
        fprintf(stderr, "%s\n", said->d[i].text);
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
        Diagnostics said = {0};
        status = compile_quickly(d, w, &said);
        if (d->options.dry_run)
            return status;
        if (!d->far_offsets && (status ? !d->clang && status == GAVE_UP : has_far_offsets(w->object))) {
            d->far_offsets = true; /* g++ 12 gives up on some of them itself */
            continue;
        }
        if (!d->scalar_loops && !status && has_mask_gathers(w->loops)) {
            d->scalar_loops = true;
            continue;
        }
        if (status && !d->permissive && changes_meanings(&said)) {
            d->permissive = true;
            continue;
        }
        Kernels *kernels = read_kernels(w->kernels);
        if (!status || has(&fibers, "all") || user_error(kernels, &said, &w->user_files)) {
            make_readable(&said, d->home);
            show_messages(kernels, &said);
            return status ? 1 : 0;
        }
        if (!refused_kernels(kernels, &said, &fibers) || round >= 4) {
            fibers = (Words){0};
            add(&fibers, "all");
        }
        if (d->options.verbose)
            show_refusal(&said);
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

/* Where the compiler's messages go: to memory, for a disk that is full has no room for the message that says so. */
static const char *messages_place(const Driver *d)
{
    static int memory = -1;
    if (memory < 0)
        memory = memfd_create("messages", MFD_CLOEXEC);
    const char *place = format("/proc/self/fd/%d", memory);
    return memory >= 0 && !access(place, W_OK) ? place : format("%s/messages", d->tmp);
}

static int compile_cuda(Driver *d, const char *file, const char *object)
{
    Way w = {.file = file,
             .object = object,
             .device = format("%s/in.ii", d->tmp),
             .out = format("%s/out.ii", d->tmp),
             .messages = messages_place(d),
             .kernels = format("%s/kernels", d->tmp),
             .loops = format("%s/loops", d->tmp)};
    d->far_offsets = d->permissive = false;
    d->flush = d->options.ftz ? !strcmp(d->options.ftz, "true") : d->options.fast_math;
    d->scalar_loops = !d->options.dry_run && gathers_by_mask(d) && !sees_mask_gathers(d);
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
    if (status == 4) { /* -ftz=true is not obeyed */
        d->flush = false;
        if (preprocess(d, &w, true, NULL, NULL) || (w.host && preprocess(d, &w, false, NULL, NULL)))
            return 1;
        status = translate(d, &w);
    }
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
