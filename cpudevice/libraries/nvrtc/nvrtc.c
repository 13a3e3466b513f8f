/* nvrtc.c: NVRTC on cucc: the source is written into a folder of its own, with its headers, and compiled there into an
 * image (runtime/driver_api/module_image.h). A name expression becomes a pointer behind the source, which makes the compiler
 * instantiate what it names; the image says what the pointer points to. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library.h"
#include "driver_api/module_image.h"
#include "nvrtc.h"

#if __has_include("cucc_path.h") /* the driver that builds this writes where cucc is */
#include "cucc_path.h"
#else
#define CPUDEV_CUCC "cucc"
#endif

typedef struct Text {
    char *bytes; /* with a 0 behind them */
    size_t n;
} Text;

typedef struct Expression {
    struct Expression *next;
    char *text, *lowered;
} Expression;

struct _nvrtcProgram {
    char *source, *name;
    int headers;
    char **header, **header_name;
    Expression *first;
    int expressions;
    bool compiled;
    Text log, cubin, ptx;
};

/* ---- files ---- */

static bool read_text(Text *t, const char *format, const char *folder)
{
    char *path = NULL;
    free(t->bytes);
    *t = (Text){0};
    if (asprintf(&path, format, folder) < 0)
        return false;
    FILE *f = fopen(path, "rb");
    free(path);
    size_t room = 0;
    while (f && !feof(f) && !ferror(f)) {
        char *more = realloc(t->bytes, room = room * 2 + 65536);
        if (!more)
            break;
        t->bytes = more;
        t->n += fread(more + t->n, 1, room - t->n - 1, f);
        more[t->n] = 0;
    }
    bool good = f && feof(f);
    if (f)
        fclose(f);
    return good;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *w)
{
    (void)st, (void)type, (void)w;
    return remove(path);
}

/* A header's name may have folders in it; none may lead out of ours. */
static bool write_header(const char *folder, const char *name, const char *text)
{
    char *path = NULL;
    if (*name == '/' || strstr(name, "..") || asprintf(&path, "%s/include/%s", folder, name) < 0)
        return false;
    for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(path, 0700);
        *p = '/';
    }
    FILE *f = fopen(path, "w");
    free(path);
    return f && (fputs(text, f) >= 0) + !fclose(f) == 2;
}

static bool write_source(const struct _nvrtcProgram *p, const char *folder)
{
    char *path = NULL;
    if (asprintf(&path, "%s/source.cu", folder) < 0)
        return false;
    FILE *f = fopen(path, "w");
    free(path);
    if (!f)
        return false;
    fprintf(f, "#line 1 \"%s\"\n%s\n", p->name, p->source);
    int i = 0;
    for (const Expression *e = p->first; e; e = e->next, i++)
        fprintf(f,
                "#line 1 \"name expression %s\"\nextern \"C\" { extern const void *const cpudev_name_%d; "
                "__attribute__((used)) const void *const cpudev_name_%d = (const void *)(%s%s); }\n",
                e->text, i, i, *e->text == '&' || *e->text == '(' ? "" : "&", e->text);
    bool good = !ferror(f);
    return !fclose(f) && good;
}

/* ---- cucc ---- */

static const char *find_cucc(void)
{
    const char *named = getenv("CUCC");
    return named && *named ? named : CPUDEV_CUCC;
}

/* With NVRTC's own options left out, which say how it compiles. False: one that cucc has not either. */
static bool wanted(const char *option)
{
    static const char *const own[] = {"-default-device",
                                      "--device-as-default-execution-space",
                                      "-device-int128",
                                      "--device-int128",
                                      "--minimal",
                                      "-minimal",
                                      "--builtin-",
                                      "-builtin-",
                                      "--no-source-include",
                                      "-no-source-include",
                                      "--pch",
                                      "-pch",
                                      "--version-ident",
                                      "-version-ident",
                                      "--extra-device-vectorization"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strncmp(option, own[i], strlen(own[i])))
            return false;
    return true;
}

extern char **environ;

/* -I of the folder that the program's name lies in, as a compiler looks for headers beside the source: "" is the
 * current one. NULL: the program does without (--no-source-include), or there is no memory. */
static char *beside_source(const char *name, int n, const char *const *options)
{
    const char *slash = strrchr(name, '/');
    char *word = NULL;
    for (int i = 0; i < n; i++)
        if (!strcmp(options[i] + strspn(options[i], "-"), "no-source-include"))
            return NULL;
    if (asprintf(&word, "-I%.*s", slash ? (int)(slash - name) + 1 : 1, slash ? name : ".") < 0)
        return NULL;
    return word;
}

/* Its messages go to FOLDER/log. The status, or -1 if it could not be run. */
static int run_cucc(const char *folder, const char *name, const char *out, int n, const char *const *options)
{
    char *include = NULL, *log = NULL, *source = NULL, *beside = beside_source(name, n, options);
    const char **c = malloc(((size_t)n + 16) * sizeof *c);
    posix_spawn_file_actions_t files;
    int k = 0, status = -1;
    pid_t child;
    if (!c || asprintf(&include, "-I%s/include", folder) < 0 || asprintf(&log, "%s/log", folder) < 0 ||
        asprintf(&source, "%s/source.cu", folder) < 0)
        return -1;
    c[k++] = find_cucc();
    c[k++] = "-cubin";
    if (library_checked())
        c[k++] = "--check";
    for (int i = 0; i < n; i++)
        if (wanted(options[i]))
            c[k++] = options[i];
    c[k++] = "-D__CUDACC_RTC__=1";
    c[k++] = include;
    if (beside)
        c[k++] = beside;
    c[k++] = "-o";
    c[k++] = out;
    c[k++] = source;
    c[k] = NULL;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    if (!posix_spawnp(&child, c[0], &files, NULL, (char *const *)c, environ))
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&files);
    free(c), free(include), free(log), free(source), free(beside);
    return status < 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Text for the log, where the compiler has said nothing. */
static void say(struct _nvrtcProgram *p, const char *format, const char *what)
{
    char *text = NULL;
    if (asprintf(&text, format, what) < 0)
        return;
    free(p->log.bytes);
    p->log = (Text){text, strlen(text)};
}

static nvrtcResult find_names(struct _nvrtcProgram *p)
{
    module_image m;
    if (image_open(&m, p->cubin.bytes))
        return NVRTC_ERROR_INTERNAL_ERROR;
    int i = 0;
    nvrtcResult result = NVRTC_SUCCESS;
    for (Expression *e = p->first; e; e = e->next, i++) {
        char variable[40];
        snprintf(variable, sizeof variable, "cpudev_name_%d", i);
        const char *name = image_points_to(&m, variable);
        free(e->lowered);
        e->lowered = name ? strdup(name) : NULL;
        if (!e->lowered)
            result = NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    }
    image_close(&m);
    return result;
}

static nvrtcResult compile_in(struct _nvrtcProgram *p, const char *folder, int n, const char *const *options)
{
    char *cubin = NULL;
    bool written = write_source(p, folder) && asprintf(&cubin, "%s/cubin", folder) > 0;
    for (int i = 0; i < p->headers && written; i++)
        written = write_header(folder, p->header_name[i], p->header[i]);
    if (!written) {
        say(p, "cannot write the program into %s\n", folder);
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    int status = run_cucc(folder, p->name, cubin, n, options);
    read_text(&p->log, "%s/log", folder);
    free(cubin);
    if (status == -1 || status == 127) {
        say(p, "NVRTC needs cucc, and %s cannot be run (the environment variable CUCC names another)\n", find_cucc());
        fprintf(stderr, "CPU device: %s", p->log.bytes);
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    const char *log = p->log.bytes ? p->log.bytes : ""; /* in the user's language */
    if (status && (strstr(log, "cucc: unknown option") || strstr(log, "cucc：未知选项")))
        return NVRTC_ERROR_INVALID_OPTION;
    if (status)
        return NVRTC_ERROR_COMPILATION;
    return read_text(&p->cubin, "%s/cubin", folder) ? find_names(p) : NVRTC_ERROR_INTERNAL_ERROR;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int n, const char *const *options)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = NULL;
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (n < 0 || (n && !options))
        return NVRTC_ERROR_INVALID_INPUT;
    if (asprintf(&folder, "%s/nvrtc.XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    nvrtcResult result = NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    if (mkdtemp(folder)) {
        result = compile_in(p, folder, n, options);
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    } else
        say(p, "cannot make %s\n", folder);
    free(folder);
    p->compiled = true;
    if (result && result != NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID) {
        free(p->cubin.bytes);
        p->cubin = (Text){0};
    }
    return result;
}

/* ---- programs ---- */

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int n,
                               const char *const *headers, const char *const *names)
{
    if (!program || !source || n < 0 || (n && (!headers || !names)))
        return NVRTC_ERROR_INVALID_INPUT;
    nvrtcProgram p = calloc(1, sizeof *p);
    if (!p)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    p->source = strdup(source);
    p->name = strdup(name && *name ? name : "default_program");
    p->header = calloc((size_t)n + 1, sizeof *p->header);
    p->header_name = calloc((size_t)n + 1, sizeof *p->header_name);
    bool good = p->source && p->name && p->header && p->header_name;
    for (int i = 0; i < n && good; i++, p->headers++) {
        p->header[i] = strdup(headers[i]);
        p->header_name[i] = strdup(names[i]);
        good = p->header[i] && p->header_name[i];
    }
    *program = p;
    if (!good)
        nvrtcDestroyProgram(program);
    return good ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    if (!program || !*program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    nvrtcProgram p = *program;
    for (Expression *e = p->first, *next; e; e = next) {
        next = e->next;
        free(e->text), free(e->lowered), free(e);
    }
    for (int i = 0; i < p->headers; i++)
        free(p->header[i]), free(p->header_name[i]);
    free(p->header), free(p->header_name), free(p->source), free(p->name);
    free(p->log.bytes), free(p->cubin.bytes), free(p->ptx.bytes), free(p);
    *program = NULL;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression)
{
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression)
        return NVRTC_ERROR_INVALID_INPUT;
    if (p->compiled)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    Expression *e = calloc(1, sizeof *e), **last = &p->first;
    if (!e || !(e->text = strdup(expression)))
        return free(e), NVRTC_ERROR_OUT_OF_MEMORY;
    while (*last)
        last = &(*last)->next;
    *last = e;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression, const char **name)
{
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !name)
        return NVRTC_ERROR_INVALID_INPUT;
    if (!p->compiled)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (const Expression *e = p->first; e; e = e->next)
        if (!strcmp(e->text, expression) && e->lowered) {
            *name = e->lowered;
            return NVRTC_SUCCESS;
        }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* ---- what came of it ---- */

static nvrtcResult get(const struct _nvrtcProgram *p, const Text *t, size_t *bytes, size_t count, char *to)
{
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!bytes && !to)
        return NVRTC_ERROR_INVALID_INPUT;
    if (!t->bytes)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (bytes)
        *bytes = count;
    if (to)
        memcpy(to, t->bytes, count);
    return NVRTC_SUCCESS;
}

/* Sizes of text count the 0 at its end. */
static nvrtcResult get_log(struct _nvrtcProgram *p, size_t *bytes, char *to)
{
    static const Text none = {(char *)"", 0};
    const Text *t = p && p->log.bytes ? &p->log : &none;
    return get(p, t, bytes, t->n + 1, to);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *bytes) { return get_log(p, bytes, NULL); }
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log) { return get_log(p, NULL, log); }

static nvrtcResult get_ptx(struct _nvrtcProgram *p, size_t *bytes, char *to)
{
    if (p && p->cubin.bytes && !p->ptx.bytes) {
        p->ptx.bytes = image_text(p->cubin.bytes, p->cubin.n);
        p->ptx.n = p->ptx.bytes ? strlen(p->ptx.bytes) : 0;
    }
    return get(p, p ? &p->ptx : NULL, bytes, p ? p->ptx.n + 1 : 0, to);
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *bytes) { return get_ptx(p, bytes, NULL); }
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *ptx) { return get_ptx(p, NULL, ptx); }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *bytes)
{
    return get(p, p ? &p->cubin : NULL, bytes, p ? p->cubin.n : 0, NULL);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *cubin)
{
    return get(p, p ? &p->cubin : NULL, NULL, p ? p->cubin.n : 0, cubin);
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    *major = 13;
    *minor = 0;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *n)
{
    if (!n)
        return NVRTC_ERROR_INVALID_INPUT;
    *n = 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *archs)
{
    if (!archs)
        return NVRTC_ERROR_INVALID_INPUT;
    *archs = 90;
    return NVRTC_SUCCESS;
}

const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {"NVRTC_SUCCESS",
                                        "NVRTC_ERROR_OUT_OF_MEMORY",
                                        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT",
                                        "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION",
                                        "NVRTC_ERROR_COMPILATION",
                                        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                        "NVRTC_ERROR_INTERNAL_ERROR",
                                        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"};
    return (unsigned)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}
