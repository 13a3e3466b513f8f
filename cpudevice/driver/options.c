/* options.c: nvcc's options, and cucc's own. Each is a row of the table; its names are separated by `|`. nvcc takes a
 * value as the next word or after `=`, and with its one-letter names directly. Where a word fits several rows the
 * longest name wins. */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    FLAG,     /* the word itself */
    VALUE,    /* NAME value, NAME=value */
    JOINED,   /* those, and NAMEvalue */
    NUMBER,   /* those, if that value begins with a digit */
    OPTIONAL, /* a value may follow; the action knows them */
    PREFIX    /* whatever begins with it */
} Kind;

typedef struct Option Option;
/* word: as it was typed; value: NULL for FLAG and PREFIX, and for OPTIONAL what follows, if anything does. True if an
 * optional next word has been used. */
typedef bool Action(Options *o, const Option *row, const char *word, const char *value);
struct Option {
    const char *names;
    Kind kind;
    Action *action;
    size_t where;     /* the member of Options that it sets, or the mode */
    const char *text; /* see the action */
    bool listed;      /* the value is an nvcc list: each of its elements is a value */
};

static const char *const help =
    "usage: cucc [options] file.cu ...      compiles CUDA C/C++ for the CPU, with nvcc's options\n"
    "\n"
    "  -o FILE  -c  -dc  -E  -shared  -lib        what to make\n"
    "  -I -D -U -L -l -std= -include -x cu -M*    as for g++\n"
    "  -cubin  -fatbin  -ptx                      for cuModuleLoad: a shared library for this machine, not a GPU's\n"
    "                                             code, that programs built by cucc load (-ptx: as text)\n"
    "  -run  -run-args ARG[,ARG]                  then run the program; given a program, -run alone runs it\n"
    "  -O0..-O3 -g -G -lineinfo                   -G: no optimisation, for a debugger\n"
    "  -Xcompiler OPT[,OPT]  -Xlinker OPT[,OPT]   passed on\n"
    "  --expt-relaxed-constexpr                   kernels may call constexpr functions of the host\n"
    "  -optf FILE                                 more options and files, one or more per line\n"
    "  -ftz=true  --use_fast_math                 kernels take subnormal numbers of float as 0\n"
    "  -arch= -gencode -Xptxas                    for a GPU; accepted and ignored\n"
    "  --check          find mistakes while the program runs (see cpudevice/README.md)\n"
    "  --model CHIP     print how long each kernel takes on an h100, h200, ... (see cpudevice/docs/model.md)\n"
    "  --cccl DIR       use the CUB and Thrust of the CCCL in DIR; none: the few parts that cucc has itself\n"
    "  --no-split       run every kernel with barriers on fibers (see cpudevice/README.md)\n"
    "  --fibers         run every kernel on fibers\n"
    "  --build          only build the runtime\n"
    "  --build-toolkit  only build it and the libraries of cpudevice/toolkit/lib64\n"
    "  --version  --help  -v  --dryrun\n"
    "\n"
    "environment: CUDA_CPU_WORKERS=N cores to use, CUDA_CPU_HOST_ACCESS=1 host may touch device memory,\n"
    "             CUDA_CPU_MEMORY=BYTES the device's memory, CUDA_CPU_WATCHDOG=SECONDS (0: off),\n"
    "             CUDA_CPU_ORDER=forward|reverse|random:SEED the order of blocks, and of threads as fibers,\n"
    "             NVCC_PREPEND_FLAGS=, NVCC_APPEND_FLAGS= further options, in front of the others and after them,\n"
    "             CUCC_CC=, CUCC_CXX= the compilers, CUCC_BUILD=DIR where the runtime is built,\n"
    "             CUCC_BUILDS=no use the compiler and runtime as they are built, whatever has changed,\n"
    "             CUCC_RUNTIME_FLAGS= further options for those of their files that are compiled from now on,\n"
    "             CUCC_PCH=0 have g++ read cuda_runtime.h each time; 1: precompile it at first use; kept: load what\n"
    "             is precompiled, and precompile nothing\n";

/* ---- actions ---- */

static bool ignore(Options *o, const Option *row, const char *word, const char *value)
{
    (void)o, (void)row, (void)word, (void)value;
    return false;
}

/* A member becomes the value, after `text`; of a flag, `text` or the word itself. */
static bool set(Options *o, const Option *row, const char *word, const char *value)
{
    const char **member = (const char **)((char *)o + row->where);
    if (value)
        *member = row->text ? format("%s%s", row->text, value) : value;
    else
        *member = row->text ? row->text : word;
    return false;
}

static bool on(Options *o, const Option *row, const char *word, const char *value)
{
    (void)word, (void)value;
    *(bool *)((char *)o + row->where) = true;
    return false;
}

/* What the model counts, --check's calls tell. */
static bool model(Options *o, const Option *row, const char *word, const char *value)
{
    o->check = true;
    return set(o, row, word, value);
}

static bool set_mode(Options *o, const Option *row, const char *word, const char *value)
{
    (void)word, (void)value;
    o->mode = (Mode)row->where;
    return false;
}

static bool print_dependencies(Options *o, const Option *row, const char *word, const char *value)
{
    (void)word, (void)value;
    o->mode = MODE_DEPENDENCIES;
    o->dep_flag = row->text;
    return false;
}

/* For the preprocessor: `text` and the value, or the word itself. */
static bool to_preprocessor(Options *o, const Option *row, const char *word, const char *value)
{
    add(&o->pp, row->text ? row->text : word);
    if (value)
        add(&o->pp, value);
    return false;
}

static bool dependencies(Options *o, const Option *row, const char *word, const char *value)
{
    to_preprocessor(o, row, word, value);
    if (begins(row->text, "-MF"))
        o->dep_file = value;
    else if (value)
        o->has_dep_target = true;
    else
        o->wants_deps |= strcmp(row->text, "-MP") != 0;
    return false;
}

static bool to_compiler(Options *o, const Option *row, const char *word, const char *value)
{
    static const char *const link_too[] = {"-f", "-m", "-p", "-static", "-rdynamic", "-no-pie"};
    (void)value;
    word = row->text ? row->text : word;
    add(&o->cflags, word);
    for (size_t i = 0; i < sizeof link_too / sizeof *link_too; i++)
        if (begins(word, link_too[i])) {
            add(&o->lflags, word);
            break;
        }
    return false;
}

/* g++'s option of the same name, which wants its value after `=`. */
static bool with_value(Options *o, const Option *row, const char *word, const char *value)
{
    (void)word;
    add_format(&o->cflags, "%s%s", row->text, value);
    return false;
}

static bool run_arguments(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word;
    add_split(&o->run_arguments, value, ", ");
    return false;
}

static bool list_architectures(Options *o, const Option *row, const char *word, const char *value)
{
    (void)o, (void)word, (void)value;
    printf("%s_90\n", row->text);
    exit(0);
}

static bool to_linker(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)value;
    add(&o->lflags, word);
    return false;
}

/* -Xcompiler's words, between commas and blanks outside quotes, for nvcc has a shell read them: build systems pass
 * '-fPIC' with quotes. What begins with -Wl, is one word. */
static bool host_options(Options *o, const Option *row, const char *word, const char *value)
{
    static const char *const link_too[] = {"-fopenmp", "-fPIC", "-pthread", "-m", "-fsanitize"};
    (void)row, (void)word;
    if (begins(value, "-Wl,") || begins(value, "-Wa,") || begins(value, "-Wp,")) {
        add(&o->cflags, value);
        add(&o->lflags, value);
        return false;
    }
    Words words = {0};
    add_quoted(&words, value, ", \t\n");
    for (int i = 0; i < words.n; i++) {
        add(&o->cflags, words.word[i]);
        for (size_t k = 0; k < sizeof link_too / sizeof *link_too; k++)
            if (begins(words.word[i], link_too[k])) {
                add(&o->lflags, words.word[i]);
                break;
            }
    }
    return false;
}

static bool linker_options(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word;
    Words words = {0};
    add_quoted(&words, value, ", \t\n");
    for (int i = 0; i < words.n; i++)
        add_format(&o->lflags, "-Wl,%s", words.word[i]);
    return false;
}

static bool library_folder(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word;
    add_format(&o->lflags, "-L%s", value);
    return false;
}

const char *const nvidia_libraries[] = {
    "cublas",      "cublas_static",   "cublasLt", "cublasLt_static", "cudnn",
    "cudnn_cnn",   "cudnn_ops",       "cufft",    "cufft_static",    "cufft_static_nocallback",
    "cusolver",    "cusolver_static", "cusparse", "cusparse_static", "nccl",
    "nccl_static", "nvidia-ml",       "nvrtc",    "nvrtc_static",    NULL};

const char *const host_libraries[] = {"cublas", "cublas_static", "cublasLt", "cublasLt_static",
                                      "curand", "curand_static", NULL};

static bool library(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word;
    /* the runtime is all of these; cuRAND is in the headers and in HOST_LIBRARIES */
    static const char *const ours[] = {"cudart",     "cudart_static", "cuda",          "cudadevrt",
                                       "nvToolsExt", "curand",        "curand_static", "culibos"};
    static const char *const missing[] = {"cufft", "cusparse", "cusolver", "cudnn", "npp", "nvjpeg", "cupti"};
    for (int i = 0; host_libraries[i]; i++)
        o->host_libraries |= !strcmp(value, host_libraries[i]);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (!strcmp(value, ours[i])) {
            o->modules |= !strcmp(value, "cuda");
            return false;
        }
    for (int i = 0; nvidia_libraries[i]; i++)
        if (!strcmp(value, nvidia_libraries[i])) {
            o->libraries = true;
            o->modules |= begins(value, "nvrtc");
            return false;
        }
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (begins(value, missing[i]))
            die("library %s is not available on the CPU device", value);
    add_format(&o->lflags, "-l%s", value);
}

/* sm_90 and compute_90 are 900; native, all and the like leave it. */
static bool architecture(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word;
    const char *number = begins(value, "sm_") ? value + 3 : begins(value, "compute_") ? value + 8 : "";
    size_t n = strspn(number, "0123456789");
    if (n)
        o->arch = format("%.*s0", (int)n, number);
    return false;
}

static bool line_information(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word, (void)value;
    if (!o->debug)
        o->debug = "-g1";
    return false;
}

static bool device_debug(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word, (void)value;
    o->debug = "-g";
    o->optimise = "-O0";
    return false;
}

static bool multiply_add(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word;
    if (!strcmp(value, "false"))
        add(&o->cflags, "-ffp-contract=off");
    return false;
}

/* As nvcc: the last one counts, before or after --use_fast_math, which is -ftz=true without one. */
static bool flush_to_zero(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word;
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        die("'%s': expected true or false", value);
    o->ftz = value;
    return false;
}

static bool default_stream(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word;
    if (!strcmp(value, "per-thread"))
        add(&o->pp, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    return false;
}

static bool true_or_false(Options *o, const Option *row, const char *word, const char *value)
{
    (void)o, (void)row, (void)word;
    return value && (!strcmp(value, "true") || !strcmp(value, "false"));
}

/* nvcc's -Werror names kinds of its own; g++'s stands alone, or names a warning of g++'s. */
static bool warnings_are_errors(Options *o, const Option *row, const char *word, const char *value)
{
    static const char kinds[] = " all-warnings cross-execution-space-call reorder default-stream-launch "
                                "missing-launch-bounds ext-lambda-captures-this deprecated-declarations ";
    (void)row;
    Words words = {0};
    add_split(&words, value ? value : "", ",");
    bool nvccs = words.n > 0;
    for (int i = 0; i < words.n; i++)
        nvccs &= strstr(kinds, format(" %s ", words.word[i])) != NULL;
    if (!nvccs)
        add(&o->cflags, strchr(word, '=') ? word : "-Werror");
    return nvccs;
}

static bool no_gpu_code(Options *o, const Option *row, const char *word, const char *value)
{
    (void)o, (void)row, (void)value;
    die("%s: there is no GPU code on the CPU device", word);
}

/* What cuModuleLoad takes: `text` is the file's ending. */
static bool image(Options *o, const Option *row, const char *word, const char *value)
{
    (void)word, (void)value;
    o->mode = MODE_IMAGE;
    o->image = row->text;
    add(&o->cflags, "-fPIC");
    return false;
}

static bool print_help(Options *o, const Option *row, const char *word, const char *value)
{
    (void)o, (void)row, (void)word, (void)value;
    fputs(in_chinese(help), stdout);
    exit(0);
}

static void read_words(Options *o, Words *words);

static bool options_file(Options *o, const Option *row, const char *word, const char *value)
{
    (void)row, (void)word;
    Words files = {0}, words = {0};
    add_split(&files, value, ",");
    for (int i = 0; i < files.n; i++) {
        char *text = read_file(files.word[i], NULL);
        if (!text)
            die("cannot read the options file %s", files.word[i]);
        add_quoted(&words, text, " \t\r\n");
    }
    if (++o->depth > 16)
        die("the options file %s names itself", files.word[0]);
    read_words(o, &words);
    o->depth--;
    return false;
}

#define MEMBER(m) offsetof(Options, m)
#include "options_table.h"

/* ---- reading ---- */

/* How well the word fits the name: its length, more if that is all of the word; 0 if it does not. */
static size_t fits(Kind kind, const char *name, size_t n, const char *word)
{
    if (strncmp(word, name, n))
        return 0;
    const char *rest = word + n;
    bool fit = !*rest || kind == JOINED || kind == PREFIX || (kind != FLAG && *rest == '=') ||
               (kind == NUMBER && *rest >= '0' && *rest <= '9');
    return fit ? n + (*rest ? 0 : 1000) : 0;
}

static const Option *find_option(const char *word, size_t *length)
{
    const Option *found = NULL;
    size_t best = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (const char *name = table[i].names; *name; name += *name == '|') {
            size_t n = strcspn(name, "|"), fit = fits(table[i].kind, name, n, word);
            if (fit > best) {
                best = fit;
                *length = n;
                found = &table[i];
            }
            name += n;
        }
    return found;
}

/* One option and its value; how many words that were. */
static int read_option(Options *o, char **words)
{
    size_t length = 0;
    const char *word = words[0];
    const Option *row = find_option(word, &length);
    if (!row)
        die("unknown option %s (cucc --help)", word);
    const char *rest = word + length, *value = *rest == '=' ? rest + 1 : *rest ? rest : words[1];
    if (row->kind == FLAG || row->kind == PREFIX) {
        row->action(o, row, word, NULL);
        return 1;
    }
    if (!value && row->kind != OPTIONAL)
        die("option %s wants a value", word);
    bool used = row->kind != OPTIONAL;
    if (row->listed) {
        Words values = {0};
        add_listed(&values, value);
        for (int i = 0; i < values.n; i++)
            row->action(o, row, word, values.word[i]);
    } else
        used |= row->action(o, row, word, value);
    return *rest || !used ? 1 : 2;
}

static void read_words(Options *o, Words *words)
{
    for (int i = 0; i < words->n;) {
        char **at = words->word + i;
        if (!strcmp(*at, "-"))
            die("reading the program from standard input is not supported");
        if (**at == '-')
            i += read_option(o, at);
        else
            add(&o->inputs, words->word[i++]);
    }
}

void read_options(Options *o, int n, char **word)
{
    const char *first = getenv("NVCC_PREPEND_FLAGS"), *last = getenv("NVCC_APPEND_FLAGS");
    Words words = {0};
    o->directory = ".";
    add_quoted(&words, first ? first : "", " \t\n");
    for (int i = 0; i < n; i++)
        add(&words, word[i]);
    add_quoted(&words, last ? last : "", " \t\n");
    read_words(o, &words);
}
