/* main.c: cucc's driver, which the launcher `cucc` builds and runs:
 *
 *   cucc-driver HOME OUT [options] file ...
 *
 * HOME is the folder of cucc as it was named: relative where the call was, so that nothing that is made says where the
 * tree lies. OUT is where the compiler and the runtime are built. Exit status 1 for whatever goes wrong. */
#include "objects.h"
#include "version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* A compiler may be several words (`ccache g++`), or a file whose path has blanks. */
static Words compiler(const char *variable, const char *otherwise)
{
    const char *name = getenv(variable);
    Words w = {0};
    if (!name || !*name)
        name = otherwise;
    if (strchr(name, '/') && !access(name, X_OK))
        add(&w, name);
    else
        add_split(&w, name, " \t\n");
    if (!w.n)
        die("%s does not name a compiler", variable);
    return w;
}

/* For the machine that the compiler makes programs for: its own CPU, or with a cross compiler any. */
static void find_machine(Driver *d)
{
    struct utsname here;
    const char *machine = compiler_machine(d);
    if (begins(machine, "x86_64"))
        add_split(&d->machine, "-march=native -mprefer-vector-width=256 -mno-red-zone -fcf-protection=none", " ");
    else if (begins(machine, "aarch64")) {
        /* the watchdog would take libgcc's helpers for the program's own code, where nothing is locked */
        add(&d->machine, "-mno-outline-atomics");
        if (!uname(&here) && !strcmp(here.machine, "aarch64"))
            add(&d->machine, "-mcpu=native");
    }
}

/* CMake knows nvcc by the words of the second line. */
static void print_version(Driver *d)
{
    Words ask = {0};
    add_words(&ask, &d->cxx);
    add(&ask, "--version");
    printf("cucc " CUCC_VERSION ": CUDA C/C++ compiler driver for the CPU device,\n"
           "in place of nvcc: NVIDIA (R) Cuda compiler driver\n"
           "Cuda compilation tools, release 13.0, V13.0.0 (CPU device)\n%s\n",
           output_of(d, &ask));
}

/* False if the file's name does not say it. */
static bool find_language(const Options *o, const char *file, Language *language)
{
    static const struct {
        const char *ending;
        Language language;
    } known[] = {{".cu", L_CUDA}, {".c", L_C},      {".cpp", L_CXX},  {".cc", L_CXX},    {".cxx", L_CXX},
                 {".C", L_CXX},   {".o", L_OBJECT}, {".a", L_OBJECT}, {".so", L_OBJECT}, {".obj", L_OBJECT}};
    if (o->language && !ends(file, ".o") && !ends(file, ".a") && !ends(file, ".so")) {
        if (!strcmp(o->language, "cu"))
            return *language = L_CUDA, true;
        if (!strcmp(o->language, "c"))
            return *language = L_C, true;
        if (!strcmp(o->language, "c++"))
            return *language = L_CXX, true;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ends(file, known[i].ending))
            return *language = known[i].language, true;
    return strstr(file, ".so.") ? *language = L_OBJECT, true : false;
}

static Language language_of(const Options *o, const char *file)
{
    Language language;
    if (find_language(o, file, &language))
        return language;
    if (ends(file, ".ptx") || ends(file, ".cubin") || ends(file, ".fatbin"))
        die("%s: cuModuleLoad takes it; it cannot be linked into a program", file);
    die("%s: not a CUDA, C or C++ file", file);
}

/* FILE without its folders and its ending, with `.o`, in the folder. */
static char *object_name(const char *folder, const char *file, const char *before)
{
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file, *dot = strrchr(name, '.');
    return format("%s%s%s%.*s.o", folder, *folder ? "/" : "", before, dot ? (int)(dot - name) : (int)strlen(name),
                  name);
}

/* ---- what is made ---- */

static int make_objects(Driver *d, const Language *languages)
{
    const Options *o = &d->options;
    if (o->output && o->inputs.n > 1)
        die("-o with -c takes one input file");
    for (int i = 0; i < o->inputs.n; i++) {
        const char *file = o->inputs.word[i], *folder = strcmp(o->directory, ".") ? o->directory : "";
        if (languages[i] != L_OBJECT &&
            compile(d, file, languages[i], o->output ? o->output : object_name(folder, file, "")))
            return 1;
    }
    return 0;
}

/* -MD in one step with the link: the program is the target. */
static void set_dependencies(Options *o)
{
    if (!o->wants_deps || o->has_dep_target)
        return;
    add(&o->pp, "-MT");
    add(&o->pp, o->output ? o->output : "a.out");
    o->has_dep_target = true;
    if (o->dep_file)
        return;
    o->dep_file = format("%s.d", o->output ? o->output : "a");
    add(&o->pp, "-MF");
    add(&o->pp, o->dep_file);
}

/* The chip of --model, which the model looks for in the program. */
static int object_of_model(Driver *d, const char **object)
{
    Words c = {0};
    const char *source = format("%s/model.c", d->tmp);
    *object = format("%s/model.o", d->tmp);
    if (write_file(d, source, format("const char cpudev_model_chip[] = \"%s\";\n", d->options.model)))
        return 1;
    add_words(&c, &d->cc);
    add_split(&c, "-c -o", " ");
    add(&c, *object);
    add(&c, source);
    return run(d, &c, NULL);
}

/* Builds what this compilation needs, and says so where that has never been built. */
static void build_for(Driver *d, const char *const *parts)
{
    const char *builds = getenv("CUCC_BUILDS");
    Words missing = {0};
    for (int i = 0; parts[i]; i++)
        if ((!builds || strcmp(builds, "no")) && !access(d->out, W_OK) &&
            access(format("%s/%s", d->out, parts[i]), F_OK))
            add(&missing, parts[i]);
    char *list = NULL;
    for (int i = 0; i < missing.n; i++)
        list = format("%s%s%s", list ? list : "", list ? ", " : "", missing.word[i]);
    if (list)
        say("cucc: first use: building %s (once; 10 to 60 seconds)", list);
    build(d, parts);
}

/* Does C or host C++ among the objects call what HOST_LIBRARIES holds? A kernel's file has it from the headers. */
static bool call_host_libraries(Driver *d, const Words *objects)
{
    Words c = {0};
    add_split(&c, "sh -c", " ");
    add(&c, "nm -u -P \"$@\" | grep -m 1 -e ^cublas -e ^curand");
    add(&c, "nm");
    add_words(&c, objects);
    return *output_of(d, &c) != 0;
}

static int link_objects(Driver *d, const Words *objects, const char *library)
{
    const Options *o = &d->options;
    Words c = {0};
    if (o->mode == MODE_LIBRARY) {
        add_split(&c, "ar rcs", " ");
        add(&c, o->output ? o->output : "a.a");
        add_words(&c, objects);
        return run(d, &c, NULL);
    }
    const char *host_part = !o->host_libraries || o->dry_run || !call_host_libraries(d, objects) ? NULL
                            : o->check                                                           ? HOST_LIBRARIES_CHECK
                                                                                                 : HOST_LIBRARIES;
    if (host_part)
        build_for(d, (const char *const[]){host_part, NULL});
    /* under -v CMake reads here what it is to link with */
    if (o->verbose && !o->dry_run && !o->shared && d->cxx.n == 1 && !strcmp(d->cxx.word[0], "g++"))
        add_format(&c, "%s/bin/link-program", d->toolkit);
    else
        add_words(&c, &d->cxx);
    add_words(&c, objects);
    if (o->model) {
        const char *object;
        if (object_of_model(d, &object))
            return 1;
        add(&c, object);
    }
    add(&c, "-o");
    add(&c, o->output ? o->output : "a.out");
    if (o->debug)
        add(&c, o->debug);
    if (o->shared)
        add(&c, "-shared");
    add_words(&c, &o->lflags);
    if (o->check) /* the viewer and the model subscribe by themselves: nothing else takes them out of the library */
        add_split(&c, "-Wl,-u,view_script -Wl,-u,model_linked", " ");
    if (host_part)
        add_format(&c, "%s/%s", d->out, host_part);
    if (o->libraries) { /* cuBLAS's headers ask weakly for OpenBLAS's products */
        add(&c, "-Wl,-u,cpudev_blas_gemm");
        add_format(&c, "%s/%s", d->out, LIBRARIES);
    }
    add(&c, library);
    add_words(&c, &o->lflags);
    add_format(&c, "-L%s/lib64", d->toolkit);
    add_split(
        &c,
        "-Wl,--export-dynamic-symbol=cpudev_subscribe -Wl,--export-dynamic-symbol=cpudev_unsubscribe -lpthread -ldl "
        "-lm",
        " ");
    if (o->modules) /* for the modules that it loads: the runtime, and what --check puts into code */
        add_split(
            &c,
            "-Wl,--export-dynamic-symbol=cpudev* -Wl,--export-dynamic-symbol=cu* -Wl,--export-dynamic-symbol=__tsan_* "
            "-Wl,--export-dynamic-symbol=__ubsan_* -Wl,--export-dynamic-symbol=threadIdx "
            "-Wl,--export-dynamic-symbol=blockIdx -Wl,--export-dynamic-symbol=blockDim "
            "-Wl,--export-dynamic-symbol=gridDim",
            " ");
    return run(d, &c, NULL);
}

static int make_program(Driver *d, const Language *languages, const char *library)
{
    Options *o = &d->options;
    Words objects = {0};
    set_dependencies(o);
    for (int i = 0; i < o->inputs.n; i++) {
        const char *file = o->inputs.word[i];
        if (languages[i] == L_OBJECT) {
            add(&objects, file);
            continue;
        }
        const char *object = object_name(d->tmp, file, format("%d-", i + 1));
        if (compile(d, file, languages[i], object))
            return 1;
        add(&objects, object);
    }
    return link_objects(d, &objects, library);
}

static const char *whole_path(const char *path)
{
    const char *whole = realpath(path, NULL);
    return whole ? whole : path;
}

static int run_program(Driver *d)
{
    Words c = {0};
    add(&c, whole_path(d->options.output ? d->options.output : "a.out"));
    add_words(&c, &d->options.run_arguments);
    return run(d, &c, NULL);
}

/* `nvcc --run PROGRAM` runs a program that is there, as Meson does, which puts its name in quotes. */
static bool names_program(Options *o)
{
    Words name = {0};
    Language language;
    if (!o->run || o->mode != MODE_LINK || o->inputs.n != 1)
        return false;
    add_quoted(&name, o->inputs.word[0], "\n");
    if (name.n != 1 || find_language(o, name.word[0], &language) || access(name.word[0], X_OK))
        return false;
    o->output = name.word[0];
    return true;
}

static int device_link(Driver *d)
{
    Words c = {0};
    add_words(&c, &d->cc);
    add_split(&c, "-x c -c /dev/null -o", " ");
    add(&c, d->options.output ? d->options.output : "a_dlink.o");
    return run(d, &c, NULL);
}

/* What toolkit/lib64 names. */
static void build_toolkit(Driver *d)
{
    build(d, (const char *const[]){"cucc-compile", "libcudacpu_hidden.a", LIBRARIES, HOST_LIBRARIES, NULL});
}

/* Under -v, as nvcc tells it: CMake reads there where the toolkit lies, and compares LIBRARIES with the link's command. */
static void tell_toolkit(Driver *d)
{
    const char *path = getenv("PATH");
    fprintf(stderr,
            "#$ PATH=%s\n#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ INCLUDES=\"-I%s/include\"\n"
            "#$ LIBRARIES=-L%s/lib64\n#$ ARCHITECTURE= -arch compute_%.*s\n",
            path ? path : "", d->toolkit, d->toolkit, d->toolkit, d->toolkit,
            (int)(d->options.arch ? strlen(d->options.arch) - 1 : 2), d->options.arch ? d->options.arch : "90");
    build_toolkit(d);
}

static int make(Driver *d)
{
    Options *o = &d->options;
    /* An object for a shared library that another linker makes: what is in toolkit/lib64 is made, too. */
    bool for_toolkit = o->mode == MODE_OBJECT && (has(&o->cflags, "-fPIC") || has(&o->cflags, "-fpic"));
    const char *part = o->check      ? "libcudacpu_check.a"
                       : for_toolkit ? "libcudacpu_hidden.a"
                       : o->shared   ? "libcudacpu_pic.a"
                                     : "libcudacpu.a";
    Language *languages = must(calloc((size_t)o->inputs.n, sizeof *languages));
    if (o->mode == MODE_OBJECT || o->mode == MODE_LIBRARY || o->mode == MODE_LINK || o->mode == MODE_IMAGE)
        for (int i = 0; i < o->inputs.n; i++)
            languages[i] = language_of(o, o->inputs.word[i]);
    if (!o->dry_run)
        build_for(d, (const char *const[]){"cucc-compile", part, o->libraries ? LIBRARIES : NULL, NULL});
    const char *folder = getenv("TMPDIR");
    d->tmp = format("%s/cucc.XXXXXX", folder && *folder ? folder : "/tmp");
    if (!mkdtemp(d->tmp))
        die("cannot make %s: %s", d->tmp, strerror(errno));
    int status = 0;
    switch (o->mode) {
    case MODE_PREPROCESS:
    case MODE_DEPENDENCIES:
        for (int i = 0; i < o->inputs.n && !status; i++)
            status = preprocess_only(d, o->inputs.word[i]);
        break;
    case MODE_DEVICE_LINK: status = device_link(d); break;
    case MODE_OBJECT: status = make_objects(d, languages); break;
    case MODE_IMAGE: status = make_images(d, languages); break;
    case MODE_LIBRARY:
    case MODE_LINK: status = make_program(d, languages, format("%s/%s", d->out, part)); break;
    }
    if (o->mode == MODE_LINK && o->run && !status)
        return run_program(d);
    return status ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        die("cucc-driver is run by the script cucc");
    Driver d = {.home = argv[1], .out = argv[2], .arguments = argv};
    set_signals(&d);
    read_options(&d.options, argc - 3, argv + 3);
    d.cc = compiler("CUCC_CC", "gcc");
    d.cxx = compiler("CUCC_CXX", "g++");
    d.options.verbose |= d.options.dry_run;
    for (int i = 0; i < d.cxx.n; i++)
        d.clang |= strstr(d.cxx.word[i], "clang") != NULL;
    if (d.options.version) {
        print_version(&d);
        return 0;
    }
    const bool only_builds = d.options.build_only || d.options.build_toolkit;
    if (!only_builds && !d.options.inputs.n)
        die("no input files (cucc --help)");
    if (names_program(&d.options))
        finish(&d, run_program(&d));
    find_machine(&d);
    if (only_builds) {
        build(&d, (const char *const[]){"cucc-compile", "libcudacpu.a", NULL});
        if (d.options.build_toolkit) {
            build_toolkit(&d);
            build(&d, (const char *const[]){"libcudacpu_pic.a", SHARED_DRIVER, NULL});
        }
        return 0;
    }
    d.toolkit = format("%s/toolkit", whole_path(d.home));
    if (d.options.verbose && !d.options.dry_run)
        tell_toolkit(&d);
    finish(&d, make(&d));
}
