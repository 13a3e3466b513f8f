/* driver.h: cucc's driver. It reads nvcc's options (options.c), builds the compiler and the runtime where they are out
 * of date (build.c, objects.c, dependencies.c), brings each file to an object (translate.c, messages.c) and links
 * (main.c). Programs are run without a shell (process.c), so no name needs to be quoted but for the reader of -v. */
#ifndef CUCC_DRIVER_H
#define CUCC_DRIVER_H

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ---- words.c: strings, and vectors of them that end with NULL, as exec takes them. A driver runs for a moment and
 * frees nothing. ---- */
typedef struct Words {
    char **word;
    int n, cap;
} Words;

void *must(void *p);
char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *vformat(const char *fmt, va_list ap);
void add(Words *w, const char *word);
void add_words(Words *w, const Words *more);
void add_split(Words *w, const char *text, const char *separators); /* the words between the separators */
/* The words between the separators, outside quotes; quotes and backslashes are a shell's. */
void add_quoted(Words *w, const char *text, const char *separators);
/* An nvcc list: the elements between commas; a comma inside double quotes separates nothing, and the quotes are kept. */
void add_listed(Words *w, const char *text);
void add_format(Words *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool has(const Words *w, const char *word);
bool begins(const char *s, const char *with);
bool ends(const char *s, const char *with);
char *read_file(const char *path, size_t *n); /* NULL if it cannot be read */

/* ---- say.c ---- */
const char *in_chinese(const char *english); /* or as it is, where the user does not ask for Chinese */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* a line on stderr */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- options.c ---- */
typedef enum {
    MODE_LINK,
    MODE_OBJECT,
    MODE_PREPROCESS,
    MODE_DEPENDENCIES,
    MODE_DEVICE_LINK,
    MODE_LIBRARY,
    MODE_IMAGE
} Mode;

typedef struct Options {
    Mode mode;
    Words inputs;
    Words pp, cflags, lflags; /* for the preprocessor, for the C++ compiler, for the link */
    const char *output, *directory, *language, *standard, *optimise, *debug;
    const char *model;               /* the chip that the program tells its kernels' times on; NULL: none */
    const char *arch;                /* the value of __CUDA_ARCH__ */
    const char *cccl;                /* the folder of CCCL's headers; "none": do without; NULL: look for it */
    const char *dep_flag;            /* -M or -MM: print the dependencies, and no more */
    const char *dep_file;            /* of -MF */
    bool wants_deps, has_dep_target; /* -MD or -MMD; -MT or -MQ */
    bool shared, check, no_split, fibers, run;
    const char *ftz; /* true or false, as -ftz= said last; NULL: --use_fast_math decides */
    bool fast_math;
    bool relaxed_constexpr; /* device code may call constexpr functions of the host */
    const char *image;      /* of MODE_IMAGE: the file's ending */
    bool modules;           /* the link names -lcuda or -lnvrtc: the program may load modules */
    bool libraries;         /* the link names one of nvidia_libraries */
    bool host_libraries;    /* or one of host_libraries */
    Words run_arguments;
    bool verbose, dry_run, build_only, build_toolkit, version;
    int depth; /* of options files in one another */
} Options;

extern const char *const host_libraries[];   /* those that HOST_LIBRARIES holds; ends with NULL */
extern const char *const nvidia_libraries[]; /* those that LIBRARIES holds, as -l names them; ends with NULL */
void read_options(Options *o, int n, char **word);

/* ---- process.c ---- */
typedef struct Redirect {
    const char *in, *out, *err; /* files, or NULL */
    int pipe;                   /* stdout's, or 0 */
} Redirect;

typedef struct Driver {
    Options options;
    const char *home, *out; /* the folder of cucc; the one where the compiler and the runtime are built */
    const char *toolkit;    /* its folder that looks like a CUDA Toolkit */
    char *tmp;              /* a folder of this run's own, or NULL */
    Words cc, cxx;
    Words machine; /* flags for the machine that programs are made for */
    bool clang;
    const char *cxx_version, *cxx_machine; /* of compiler.c; NULL: not asked for yet */
    bool cxx_recalled;                     /* likewise: what is kept of them was looked up */
    bool far_offsets;                      /* of the file that is being compiled: see far_offsets.c */
    bool scalar_loops;                     /* likewise: see gathers.c */
    bool flush;                            /* likewise: its kernels take subnormal numbers as 0 */
    bool permissive;                       /* likewise: see changes_meanings() */
    const char *precompiled;               /* the file that with_precompiled() has g++ load */
    const char *cccl;                      /* the folder of CCCL's headers, for a program that wants them; else NULL */
    sigset_t *stops;                       /* the signals that end the driver */
    char **arguments;                      /* as they came, with the launcher's two in front */
} Driver;

void set_signals(Driver *d);
pid_t start(Driver *d, const Words *command, const Redirect *r);
int wait_for(Driver *d, pid_t *children, int n); /* the status of the one that ends first; its place becomes 0 */
int run(Driver *d, const Words *command, const Redirect *r); /* shown under -v, left out under --dryrun */
char *output_of(Driver *d, const Words *command);            /* its first line; "" if it fails */
void remove_tree(const char *path);
_Noreturn void finish(Driver *d, int status);

/* ---- compiler.c ---- */
int compiler_version(Driver *d);         /* the first number of the C++ compiler's version */
const char *compiler_machine(Driver *d); /* what it makes programs for: x86_64-linux-gnu */

/* ---- build.c ---- */
#define HOST_LIBRARIES "libcudacpu_host.a" /* what headers give kernels' files, for C and host C++ */
#define HOST_LIBRARIES_CHECK "libcudacpu_host_check.a"
#define SHARED_DRIVER "libcuda.so.1"             /* for who loads the driver while it runs */
#define LIBRARIES "libcudacpu_libraries.a"       /* what there is of NVIDIA's other libraries */
void build(Driver *d, const char *const *parts); /* those that are out of date; the list ends with NULL */

/* ---- flags.c ---- */
const char *standard(const Options *o);
void add_common(const Driver *d, Words *c);                    /* of what is CUDA and of what is C++ */
void add_preprocessor(const Driver *d, Words *c, bool device); /* its first words, for the device or for the host */
Words compiler_options(Driver *d);  /* what the C++ compiler is asked for, but for the files */
bool gathers_by_mask(Driver *d);    /* those that were tried and are wrong, on x86-64 */
bool may_gather_by_mask(Driver *d); /* all but the compilers that were tried and are right: see gathers.c */

/* ---- translate.c ---- */
typedef enum { L_CUDA, L_C, L_CXX, L_OBJECT } Language;
int compile(Driver *d, const char *file, Language language, const char *object);
int preprocess_only(Driver *d, const char *file);

/* ---- image.c ---- */
int make_images(Driver *d, const Language *languages); /* each input becomes a file for cuModuleLoad */

/* ---- far_offsets.c ---- */
bool has_far_offsets(const char *object);

/* ---- gathers.c ---- */
bool sees_mask_gathers(Driver *d);       /* does has_mask_gathers() see one where this g++, 12 to 14, makes one? */
bool has_mask_gathers(const char *dump); /* what g++ -fdump-tree-vect=DUMP wrote; a file that is not there has none */

/* ---- diagnostics.c: what the C++ compiler said, a Diagnostic per line ---- */
typedef enum { D_CONTEXT, D_NOTE, D_WARNING, D_ERROR } DiagnosticKind; /* D_CONTEXT: a line that is no message itself */

typedef struct Diagnostic {
    char *text;  /* without marks; NULL: not to be shown */
    bool marked; /* by g++, so that what it quotes is known for certain */
    DiagnosticKind kind;
    char *file;         /* of the place at the beginning of the line, or NULL */
    int line;           /* 0: the place names only a file */
    size_t message;     /* where in the text the message begins */
    const char *option; /* "-Wunused", that it belongs to, or NULL */
    Words quoted;       /* what it has in quotes */
} Diagnostic;
typedef struct Diagnostics {
    Diagnostic *d;
    int n;
} Diagnostics;

#define LAMBDA                                                                                                         \
    "<lambda(uint3" /* what g++ calls a kernel's body, which cucc-compile has made a lambda with our parameters */
extern const char *const diagnostic_marks; /* for GCC_COLORS, with -fdiagnostics-color=always */
Diagnostics read_diagnostics(const char *text);
bool quotes(const Diagnostic *d, const char *words); /* does something in quotes contain these words? */

/* ---- preprocessed.c ---- */

/* Writes `to`, what g++ -E makes of `file`, with the part of cuda_runtime.h that is kept; false where that is not known to be
 * the same. `command` is g++ -E with its options, without the file. */
bool preprocess_quickly(Driver *d, const Words *command, const char *file, const char *to);

/* ---- precompiled.c ---- */

/* A file with the text of `file` for g++ with these options, in which what is precompiled of it is left out; NULL where
 * nothing is. */
const char *with_precompiled(Driver *d, const Words *options, const char *file);
/* Whether g++ could not load it; then it is not tried again. */
bool refused_precompiled(Driver *d, const Diagnostics *said);

/* ---- cccl.c ---- */

/* Sets d->cccl to the folder that --cccl names, or to NULL; whether it names one. */
bool name_cccl(Driver *d);

/* After the preprocessor has read `file`, with its messages if it failed: is CCCL to take the place of our headers? Sets d->cccl, and
 * says so if that is NULL and the program cannot do without. */
bool choose_cccl(Driver *d, const char *file, const char *preprocessed, const char *messages);

/* ---- messages.c: what follows from them ---- */
typedef struct Kernels Kernels;
Kernels *read_kernels(const char *path); /* what cucc-compile --kernels=PATH wrote */
bool user_error(const Kernels *k, const Diagnostics *said, const Words *user_files);
bool refused_kernels(const Kernels *k, const Diagnostics *said,
                     Words *ids); /* adds those that g++ may be refusing; any new? */
void show_messages(const Kernels *k, const Diagnostics *said);
/* Is message i that a class uses a name and then declares it itself, which nvcc takes? */
bool changes_meaning(const Diagnostics *said, int i);
/* Are all errors such? g++ up to 12 takes the program with -fpermissive. */
bool changes_meanings(const Diagnostics *said);
Words user_files(const char *preprocessed, const char *home); /* the program's own, without the system's and ours */

/* ---- readable.c: messages without cucc's own headers; `home` is its folder ---- */
void make_readable(Diagnostics *said, const char *home);

#endif
