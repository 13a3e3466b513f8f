/* cucc's lexer: preprocessed CUDA C++ in, C++ that g++ understands out.
 *
 *   cucc-lex [--check] [--no-split] [--clang] [--host host.ii] <in.ii >out.ii
 *
 * It rewrites only what C++ cannot say:
 *   __global__ functions   the body becomes a closure handed to the runtime (see cpudev_device.h)
 *   k<<<g, b, s, t>>>(a)   (cpudev_launch(g, b, s, t), k(a))
 *   __shared__ x[N]        storage of the block, which is storage of the OS thread that runs it
 *   __device__, __host__, __forceinline__, ... and the pragmas that g++ does not know
 * Lines are kept one for one and line markers are passed on, so every message of g++ names the
 * student's own file and line.  Text of system headers, and text without CUDA words, is copied
 * byte for byte. */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { ID, NUM, STR, PUNCT, MARK, END };

typedef struct {
    const char *s;         /* text of the token */
    const char *lead;      /* where the white space before it begins */
    int len;
    enum kind kind;
    int line;              /* line in the student's file */
    const char *file;
    bool sys;              /* inside a system header */
    bool drop;             /* write the white space, not the token */
    char *before, *after;  /* text to insert */
} Token;

static Token *tok;
static int ntok, cap;
static bool check_mode, no_split;
static bool clang;             /* which wants a lambda's attributes in another place than gcc */
static int errors;

static void *must(void *p)
{
    if (!p) {
        fprintf(stderr, "cucc: out of memory\n");
        exit(1);
    }
    return p;
}

static void error_at(const Token *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "%s:%d: error: ", t->file ? t->file : "<input>", t->line);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    errors++;
}

static char *format(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *s = must(malloc((size_t)n + 1));
    va_start(ap, fmt);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return s;
}

static void append(char **where, char *text)
{
    if (!*where) {
        *where = text;
        return;
    }
    char *joined = format("%s%s", *where, text);
    free(*where);
    free(text);
    *where = joined;
}

/* ---- tokens ---------------------------------------------------------------------------- */

static bool ident_start(int c) { return isalpha(c) || c == '_' || c == '$' || c >= 0x80; }
static bool ident_part(int c) { return ident_start(c) || isdigit(c); }

static const char *end_of_quoted(const char *p, const char *end)
{
    char quote = *p++;
    while (p < end && *p != quote && *p != '\n')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p < end && *p == quote ? p + 1 : p;
}

/* R"tag( ... )tag", p at the quote */
static const char *end_of_raw(const char *p, const char *end)
{
    const char *tag = p + 1, *open = tag;
    while (open < end && *open != '(' && *open != '\n' && open - tag <= 16)
        open++;
    if (open >= end || *open != '(')
        return end_of_quoted(p, end);
    size_t n = (size_t)(open - tag);
    for (const char *q = open + 1; q + n + 1 < end; q++)
        if (*q == ')' && !memcmp(q + 1, tag, n) && q[n + 1] == '"')
            return q + n + 2;
    return end;
}

static bool is(int i, const char *s)
{
    return i >= 0 && i < ntok && (int)strlen(s) == tok[i].len && !memcmp(tok[i].s, s, (size_t)tok[i].len);
}
static bool ident(int i) { return i >= 0 && i < ntok && tok[i].kind == ID; }
static bool adjacent(int i) { return i + 1 < ntok && tok[i + 1].lead == tok[i + 1].s; }

static void push(Token t)
{
    if (ntok + 2 > cap) {
        cap = cap ? cap * 2 : 1 << 16;
        tok = must(realloc(tok, (size_t)cap * sizeof *tok));
    }
    tok[ntok++] = t;
}

/* One copy of each file's name, so that names are compared by their addresses. */
static const char *intern(const char *s, int len)
{
    static char **all;
    static int n, room;
    const char *zero = memchr(s, 0, (size_t)len);
    if (zero)
        len = (int)(zero - s);
    for (int i = n - 1; i >= 0; i--)
        if (!strncmp(all[i], s, (size_t)len) && !all[i][len])
            return all[i];
    if (n == room)
        all = must(realloc(all, (size_t)(room = room ? room * 2 : 64) * sizeof *all));
    return all[n++] = format("%.*s", len, s);
}

/* `# 12 "file.cu" 1 3` and `#line 12 "file.cu"`; false if it is another directive */
static bool line_marker(const char *p, const char *eol, int *line, const char **file, bool *sys)
{
    p++;
    while (p < eol && (*p == ' ' || *p == '\t'))
        p++;
    if (eol - p > 4 && !memcmp(p, "line", 4)) {
        p += 4;
        while (p < eol && *p == ' ')
            p++;
    }
    if (p >= eol || !isdigit((unsigned char)*p))
        return false;
    long n = 0;
    while (p < eol && isdigit((unsigned char)*p) && n < 100000000)
        n = n * 10 + (*p++ - '0');
    *line = (int)n;
    while (p < eol && *p == ' ')
        p++;
    if (p < eol && *p == '"') {
        const char *e = end_of_quoted(p, eol);
        int len = (int)(e - p) - 2;
        if (len >= 0)
            *file = intern(p + 1, len);
        *sys = false;
        for (p = e; p < eol; p++)
            if (*p == '3')
                *sys = true;
    }
    return true;
}

static void tokenize(const char *p, const char *end)
{
    int line = 1;
    const char *file = NULL, *lead = p;
    bool sys = false, bol = true;
    while (p < end) {
        int c = (unsigned char)*p;
        if (c == '\n') {
            line++;
            bol = true;
            p++;
            continue;
        }
        if (isspace(c)) {
            p++;
            continue;
        }
        if (c == '/' && p + 1 < end && (p[1] == '/' || p[1] == '*')) {
            if (p[1] == '/') {
                while (p < end && *p != '\n')
                    p++;
            } else {
                for (p += 2; p < end && !(p[-1] == '*' && *p == '/' && p - lead > 2); p++)
                    line += *p == '\n';
                p += p < end;
            }
            continue;
        }
        Token t = {.s = p, .lead = lead, .line = line, .file = file, .sys = sys};
        if (c == '#' && bol) {
            const char *eol = memchr(p, '\n', (size_t)(end - p));
            if (!eol)
                eol = end;
            int n;
            if (line_marker(p, eol, &n, &file, &sys))
                line = n - 1;
            t.kind = MARK;
            p = eol;
        } else if (c == '"' || c == '\'') {
            t.kind = STR;
            p = end_of_quoted(p, end);
        } else if (ident_start(c)) {
            t.kind = ID;
            while (p < end && ident_part((unsigned char)*p))
                p++;
            size_t n = (size_t)(p - t.s);
            if (p < end && (*p == '"' || *p == '\'') && n <= 3) {
                bool raw = *p == '"' && p[-1] == 'R';
                static const char *const prefix[] = {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"};
                for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
                    if (strlen(prefix[i]) == n && !memcmp(prefix[i], t.s, n)) {
                        t.kind = STR;
                        p = raw ? end_of_raw(p, end) : end_of_quoted(p, end);
                        break;
                    }
                for (const char *q = t.s; q < p; q++)
                    line += *q == '\n';
            }
        } else if (isdigit(c) || (c == '.' && p + 1 < end && isdigit((unsigned char)p[1]))) {
            t.kind = NUM;
            for (p++; p < end; p++) {
                int d = (unsigned char)*p;
                if ((d == '+' || d == '-') && strchr("eEpP", p[-1]))
                    continue;
                if (d == '\'' && p + 1 < end && ident_part((unsigned char)p[1]))
                    continue;
                if (!ident_part(d) && d != '.')
                    break;
            }
        } else {
            t.kind = PUNCT;
            p++;
            if (p < end && ((c == ':' && *p == ':') || (c == '-' && *p == '>') || (c == '&' && *p == '&')))
                p++;
        }
        bol = false;
        t.len = (int)(p - t.s);
        push(t);
        lead = p;
    }
    push((Token){.s = end, .lead = lead, .kind = END, .line = line, .file = file});
}

/* ---- walking --------------------------------------------------------------------------- */

/* the token that closes the bracket at i, or ntok-1 */
static int match(int i)
{
    int depth = 0;
    for (int j = i; j < ntok; j++) {
        if (tok[j].kind != PUNCT)
            continue;
        char c = *tok[j].s;
        if (c == '(' || c == '[' || c == '{')
            depth++;
        else if ((c == ')' || c == ']' || c == '}') && --depth == 0)
            return j;
    }
    return ntok - 1;
}

static int match_back(int i)
{
    int depth = 0;
    for (int j = i; j >= 0; j--) {
        if (tok[j].kind != PUNCT)
            continue;
        char c = *tok[j].s;
        if (c == ')' || c == ']' || c == '}')
            depth++;
        else if ((c == '(' || c == '[' || c == '{') && --depth == 0)
            return j;
    }
    return -1;
}

static int prev(int i)
{
    do
        i--;
    while (i >= 0 && tok[i].kind == MARK);
    return i;
}

static int next(int i)
{
    do
        i++;
    while (i < ntok - 1 && tok[i].kind == MARK);
    return i < ntok ? i : ntok - 1;
}

/* `<` that opens the template arguments closed by the `>` at i, or -1 */
static int angle_back(int i)
{
    int depth = 0;
    for (int j = i; j >= 0; j = prev(j)) {
        if (tok[j].kind != PUNCT)
            continue;
        char c = *tok[j].s;
        if (is(j, "->"))
            continue;
        if (c == ')' || c == ']' || c == '}') {
            j = match_back(j);
            if (j < 0)
                return -1;
        } else if (c == '>')
            depth++;
        else if (c == '<' && --depth == 0)
            return j;
        else if (c == ';' || c == '{' || c == '(' || c == '[')
            return -1;
    }
    return -1;
}

/* the `>` that closes the `<` at i, or -1 if this is a comparison */
static int angle_forward(int i)
{
    int depth = 0;
    for (int j = i; j < ntok; j = next(j)) {
        if (tok[j].kind == END)
            return -1;
        if (tok[j].kind != PUNCT)
            continue;
        char c = *tok[j].s;
        if (is(j, "->"))
            continue;
        if (c == '(' || c == '[' || c == '{')
            j = match(j);
        else if (c == '<')
            depth++;
        else if (c == '>' && --depth == 0)
            return j;
        else if (c == ';' || c == ')' || c == ']' || c == '}')
            return -1;
    }
    return -1;
}

/* The bracket that i stands in, or -1. */
static int enclosing(int i)
{
    for (int p = prev(i); p >= 0; p = prev(p)) {
        if (is(p, ")") || is(p, "]") || is(p, "}"))
            p = match_back(p);
        else if (is(p, "(") || is(p, "[") || is(p, "{"))
            return p;
        if (p < 0)
            break;
    }
    return -1;
}

static bool in(const char *const *list, int i)
{
    for (; *list; list++)
        if (is(i, *list))
            return true;
    return false;
}

/* ---- what is known about names --------------------------------------------------------- */

/* Words that may stand before a parenthesis without being a call, and functions that neither
 * wait for other threads nor look at threadIdx: a kernel that calls nothing else runs as a plain
 * loop over its threads. */
static const char *const pure_names[] = {
    "if", "while", "for", "switch", "return", "sizeof", "alignof", "decltype", "catch", "else", "do",
    "int", "float", "double", "char", "bool", "unsigned", "long", "short", "signed", "size_t", "void", "constexpr",
    "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "half", "__half",
    "nv_bfloat16", "__nv_bfloat16", "uint", "uchar", "ushort", "ulong", "static_assert", "alignas",
    "__attribute__", "__align__", "__builtin_expect", "__builtin_assume_aligned", "__builtin_assume", "__assume",
    "min", "max", "fmin", "fmax", "fminf", "fmaxf", "abs", "fabs", "fabsf", "labs", "llabs", "sqrt", "sqrtf",
    "rsqrt", "rsqrtf", "cbrt", "cbrtf", "exp", "expf", "exp2", "exp2f", "exp10", "exp10f", "expm1", "expm1f", "log",
    "logf", "log2", "log2f", "log10", "log10f", "log1p", "log1pf", "pow", "powf", "sin", "sinf", "cos", "cosf",
    "tan", "tanf", "asin", "asinf", "acos", "acosf", "atan", "atanf", "atan2", "atan2f", "sinh", "sinhf", "cosh",
    "coshf", "tanh", "tanhf", "erf", "erff", "erfc", "erfcf", "floor", "floorf", "ceil", "ceilf", "round", "roundf",
    "rint", "rintf", "trunc", "truncf", "fma", "fmaf", "fmod", "fmodf", "hypot", "hypotf", "copysign", "copysignf",
    "isnan", "isinf", "isfinite", "signbit", "ldexp", "ldexpf", "sincosf", "sincos", "tgammaf", "lgammaf", "normcdff",
    "__expf", "__exp10f", "__logf", "__log2f", "__log10f", "__powf", "__sinf", "__cosf", "__tanf", "__fdividef",
    "__fmaf_rn", "__fadd_rn", "__fmul_rn", "__fsub_rn", "__fdiv_rn", "__frcp_rn", "__fsqrt_rn", "__frsqrt_rn",
    "__saturatef", "__mul24", "__umul24", "__mulhi", "__umulhi", "__popc", "__popcll", "__clz", "__clzll", "__ffs",
    "__ffsll", "__brev", "__brevll", "__byte_perm", "__float_as_int", "__int_as_float", "__float_as_uint",
    "__uint_as_float", "__float2int_rn", "__float2int_rz", "__float2int_rd", "__float2int_ru", "__int2float_rn",
    "__ldg", "__ldcs", "__ldcg", "__ldca", "__stcs", "__stcg", "__stwt", "__stwb", "__double_as_longlong",
    "__longlong_as_double", "__float2half", "__half2float", "__float2half_rn", "__float2bfloat16",
    "__float2bfloat16_rn", "__bfloat162float", "__half22float2", "__float22half2_rn", "__bfloat1622float2",
    "__float22bfloat162_rn", "__floats2half2_rn", "__floats2bfloat162_rn", "__hadd", "__hmul", "__hfma",
    "make_float2", "make_float3", "make_float4", "make_int2", "make_int3", "make_int4", "make_uint2", "make_uint3",
    "make_uint4", "make_double2", "make_uchar3", "make_uchar4", "make_char4", "make_short2", "make_short4", "make_ushort4",
    "dim3", "div_ceil", "swap", "printf", "__builtin_unreachable",
    "curand_init", "curand", "curand4", "curand_uniform", "curand_uniform2_double", "curand_uniform4", "curand_uniform_double", "curand_normal",
    "curand_normal2", "curand_normal4", "curand_normal_double", "curand_log_normal", "curand_poisson", "skipahead",
    "tex1Dfetch", "tex1D", "tex2D", "tex3D", "tex1DLayered", "tex2DLayered", "texCubemap", "texCubemapLayered", "tex1DLod", "tex2DLod",
    "tex3DLod", "surf1Dread", "surf1Dwrite", "surf2Dread", "surf2Dwrite", "surf3Dread", "surf3Dwrite", "surf2DLayeredread", "surf2DLayeredwrite",
    NULL};

/* Names of __device__ functions, the program's own and those of our headers: pure until one of that name is found not to be. */
typedef struct {
    const char *s;
    int len;
    bool pure, ours, atomic;   /* atomic: pure, but for atomics */
} Name;
static Name *names;
static int nnames, names_cap;

static Name *find_name(int i)
{
    for (int k = nnames - 1; k >= 0; k--)
        if (names[k].len == tok[i].len && !memcmp(names[k].s, tok[i].s, (size_t)tok[i].len))
            return &names[k];
    return NULL;
}

static void set_name(int i, bool pure, bool atomic)
{
    Name *n = find_name(i);
    bool ours = tok[i].file && strstr(tok[i].file, "/cpudev_");
    if (n) {
        n->pure = n->pure && pure;
        n->ours = n->ours && ours;
        n->atomic |= atomic;
        return;
    }
    if (nnames == names_cap) {
        names_cap = names_cap ? names_cap * 2 : 256;
        names = must(realloc(names, (size_t)names_cap * sizeof *names));
    }
    names[nnames++] = (Name){tok[i].s, tok[i].len, pure, ours, atomic};
}

/* Names of __device__, __managed__ and file-scope __shared__ variables: their values may change while a kernel runs. */
static Name *changing;
static int nchanging, changing_cap;

static void note_changing(int i)
{
    for (int j = next(i); tok[j].kind != END && !is(j, ";"); j = next(j)) {
        int n = next(j);
        if (ident(j) && (is(n, "=") || is(n, "[") || is(n, ",") || is(n, ";") || is(n, "{"))) {
            if (nchanging == changing_cap) {
                changing_cap = changing_cap ? changing_cap * 2 : 64;
                changing = must(realloc(changing, (size_t)changing_cap * sizeof *changing));
            }
            changing[nchanging++] = (Name){tok[j].s, tok[j].len, false, false, false};
        }
        if (is(n, "{") || is(n, "(") || is(n, "["))
            j = prev(match(n));
    }
}

static bool is_changing(int i)
{
    for (int k = 0; k < nchanging; k++)
        if (changing[k].len == tok[i].len && !memcmp(changing[k].s, tok[i].s, (size_t)tok[i].len))
            return true;
    return false;
}

static bool is_atomic(int i);
static bool has_atomics(int open, int close)
{
    for (int i = open; i < close; i = next(i))
        if (ident(i) && is_atomic(i))
            return true;
    return false;
}

static bool pure_call(int i)
{
    Name *n = find_name(i);
    if (n)
        return n->pure;
    return in(pure_names, i);
}

static bool empty_loop(int i, int *where);
static bool contains(int a, int b, const char *word);
static char *text_of(int a, int b);
static bool decays(int name, int dims, int a, int b);

/* Does the step of `for (...; condition; step)` change a variable of its condition?  If not, it may wait for another
 * thread. */
static bool counted(int open, int close)
{
    int semi[2] = {0, 0}, n = 0;          /* none in `for (x : array)` */
    for (int i = next(open); i < close && n < 2; i = is(i, "(") || is(i, "[") || is(i, "{") ? next(match(i)) : next(i))
        if (is(i, ";"))
            semi[n++] = i;
    for (int i = next(semi[0]); n && i < semi[1]; i = next(i))
        for (int k = next(semi[1]); ident(i) && k < close; k = next(k))
            if (ident(k) && tok[k].len == tok[i].len && !memcmp(tok[k].s, tok[i].s, (size_t)tok[k].len))
                return true;
    return n == 0;
}

/* An atomic that nothing can wait by if no loop is near, or a function with one in it */
static bool is_atomic(int i)
{
    static const char *const atomics[] = {"atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor", "atomicInc", "atomicDec", NULL};
    const Name *n = find_name(i);
    return n ? n->pure && n->atomic : in(atomics, i);
}

/* Is the name at i a helper's that stands for the block's dynamic shared memory?
 *     template <class T> struct SharedMemory { operator T *() { extern __shared__ int memory[]; return (T *)memory; } }; */
static bool shared_helper(int i)
{
    bool found = false;
    for (int k = 0; k < i; k++) {
        if (tok[k].kind != ID || tok[k].sys || (!is(k, "struct") && !is(k, "class")))
            continue;
        int n = next(k), open = next(n);
        if (tok[n].len != tok[i].len || memcmp(tok[n].s, tok[i].s, (size_t)tok[i].len))
            continue;
        if (is(open, "<") && angle_forward(open) > 0)
            open = next(angle_forward(open));
        if (is(open, ";"))
            continue;
        if (!is(open, "{"))
            return false;
        found = true;
        for (int c = next(open), end = match(open); c < end; c = next(c))
            if (is(c, "=") || is(c, "threadIdx") || is(c, "~") || is(c, ",") || is(c, ".") || is(c, "->") || (ident(c) && is(next(c), "(") && !is(c, "return")) ||
                (is(c, "__shared__") && !is(prev(c), "extern")))
                return false;
    }
    return found;
}

/* May threads of this body run one after the other, in one loop?  Conservative: no if in doubt. */
static bool pure_body(int params, int open, int close, bool kernel, bool barriers)
{
    static const char *const never[] = {"asm", "__asm__", "__asm", "try", "new", "delete", NULL};
    bool loops = false, atomic = false, may_wait = contains(params, close, "volatile");
    for (int i = next(open); i < close; i = next(i)) {
        int p = prev(i), where;
        if (ident(i)) {
            if (in(never, i) || (!kernel && is(i, "threadIdx")) || (is(i, "__shared__") && !barriers))
                return false;
            loops |= is(i, "while") || is(i, "do");
            /* By what is volatile a thread may wait for another.  Under --check no loop may wait, not even for a plain
             * variable: on a fiber it is interrupted in the end, and what it waited for is then reported as the race that
             * it is. */
            if ((check_mode || may_wait) && (loops || is(i, "goto") || (is(i, "for") && is(next(i), "(") && !counted(next(i), match(next(i))))))
                return false;
            if (is(i, "for") && is(next(i), "(")) {   /* for (;;) and for (...; atomicAdd(...) ...;) may wait too */
                int o = next(i), c = match(o), first = -1;
                for (int k = next(o); k < c; k = next(k)) {
                    if (is(k, ";")) {
                        if (first < 0)
                            first = k;
                        else
                            loops |= next(first) == k;
                    }
                    if (ident(k) && is_atomic(k))
                        return false;
                }
            }
            atomic |= is_atomic(i);
            if (atomic && loops)              /* it may wait for another thread */
                return false;
            if ((is(i, "while") || is(i, "for")) && empty_loop(i, &where))
                return false;
            /* `Type name;` of the program's own type may run a constructor that does anything */
            if (ident(p) && tok[p].len > 2 && is(next(i), ";") && !in(pure_names, p) && !is(p, "const") && !is(p, "return") &&
                !is(p, "goto") && !is(p, "typename"))
                if (!(strchr("iufdcs", *tok[p].s) && isdigit((unsigned char)tok[p].s[tok[p].len - 1])))
                    return false;
            continue;
        }
        if (!is(i, "("))
            continue;
        if (ident(p)) {
            if (!pure_call(p) && !is_atomic(p) && !(barriers && is(p, "__syncthreads")))
                return false;
        } else if (is(p, "]")) {
            return false;
        } else if (is(p, ">")) {
            int a = angle_back(p);
            if (a >= 0 && ident(prev(a))) {
                int q = prev(a);
                if (!is(q, "static_cast") && !is(q, "reinterpret_cast") && !is(q, "const_cast") && !pure_call(q) && !(is(next(i), ")") && shared_helper(q)))
                    return false;
            }
        } else if (is(p, ")")) {
            int o = match_back(p);
            if (o >= 0 && is(next(o), "*"))
                return false;
        }
    }
    return true;
}

/* The same of what stands between a constructor's parameters and its body. */
static bool pure_initialisers(int a, int b)
{
    for (int i = next(a), depth = 0; i < b; i = next(i)) {
        if (is(i, "(") || is(i, "{"))
            depth++;
        else if (is(i, ")") || is(i, "}"))
            depth--;
        else if (is(i, "threadIdx") || (depth > 0 && ident(i) && (is(next(i), "(") || is(next(i), "<")) && !pure_call(i)))
            return false;
    }
    return true;
}

/* Is the loop at i one that only waits: `while (c) ;`, `while (c) {}`, `for (...) ;`?  *where is its `;` or `{`. */
static bool empty_loop(int i, int *where)
{
    int open = next(i);
    if (!is(open, "("))
        return false;
    int body = next(match(open));
    *where = body;
    if (is(body, "{"))
        return is(next(body), "}");
    if (!is(body, ";"))
        return false;
    if (is(i, "while")) {
        int p = prev(i);
        if (is(p, "}")) {
            int o = match_back(p);
            if (o > 0 && is(prev(o), "do"))
                return false;
        }
        /* `do x = y; while (c);` */
        for (int steps = 0; steps < 64 && p > 0; steps++) {
            p = prev(p);
            if (is(p, "do"))
                return false;
            if (is(p, ";") || is(p, "{") || is(p, "}"))
                break;
        }
    }
    return true;
}

/* ---- barriers without fibers ------------------------------------------------------------------
 *
 * A kernel whose barriers all stand in control flow that is plainly the same for every thread, and that calls nothing
 * unknown, needs no fibers: the code between two barriers becomes a loop over the block's threads, which g++ can
 * vectorise.  Variables that live across a barrier become arrays over the threads, or are computed anew where that is
 * cheap.  Anything this cannot judge is left to the fibers. */

/* V_SHARED: a scalar in shared memory; V_ARRAY: an array there, whose name is an address; V_COUNTER: the same for all
 * threads, and changed where all are together */
enum { V_SHARED, V_ARRAY, V_UNIFORM, V_COUNTER, V_AGAIN, V_STORED };
typedef struct {
    const char *s;
    int len, what, at;          /* at: where it is declared */
    char *text;                 /* V_AGAIN: its declaration; V_STORED: the reference to its element */
} Var;
typedef struct {
    int at;
    bool drop;
    char *before, *after;
} Edit;
static struct {
    Var vars[256];
    int nvars;
    Edit edits[1024];
    int nedits;
    int open, close;            /* of the kernel's body */
    int region_first, region_last;
    char *storage;              /* declarations to put in front of the region */
    bool ok, last_region_had_return;
    bool bulk;                  /* the last region was one that is checked in bulk */
    bool no_bulk;               /* none may be: a name may stand for what it is not declared to be */
    int barriers;
} sp;

static bool in_plainer_words;   /* the kernel is not as it was written (see plainer()) */

static void edit(int at, bool drop, char *before, char *after)
{
    if (sp.nedits == 1024) {
        sp.ok = false;
        free(before);
        free(after);
        return;
    }
    sp.edits[sp.nedits++] = (Edit){at, drop, before, after};
}

static Var *var_of(int i)
{
    for (int k = sp.nvars - 1; k >= 0; k--)
        if (sp.vars[k].len == tok[i].len && !memcmp(sp.vars[k].s, tok[i].s, (size_t)tok[i].len))
            return &sp.vars[k];
    return NULL;
}

static void add_var(int i, int what, char *text)
{
    if (sp.nvars == 256 || (var_of(i) && what > V_ARRAY))
        sp.ok = false;
    if (!sp.ok) {
        free(text);
        return;
    }
    sp.vars[sp.nvars++] = (Var){tok[i].s, tok[i].len, what, i, text};
}

static bool operand_end(int i) { return ident(i) ? !is(i, "return") : tok[i].kind == NUM || is(i, ")") || is(i, "]"); }

/* Is the variable named at i changed, or might it be, anywhere in a..b but at i itself? */
static bool changed_in(int name, int a, int b)
{
    for (int i = a; i <= b && tok[i].kind != END; i = next(i)) {
        if (i == name || !ident(i) || tok[i].len != tok[name].len || memcmp(tok[i].s, tok[name].s, (size_t)tok[i].len))
            continue;
        int p = prev(i), n = next(i);
        if (is(p, ".") || is(p, "->") || is(p, "::"))
            continue;
        while (is(n, ".") && ident(next(n)))        /* a part of it */
            for (n = next(next(n)); is(n, "["); n = next(match(n)))
                ;
        if (n != next(i) && is(n, "("))             /* which may be a function that changes it */
            return true;
        if (is(p, "=") && is(prev(prev(p)), "&"))   /* a reference to it */
            return true;
        if (is(n, "=") && !(is(n + 1, "=") && adjacent(n)))
            return true;
        if (tok[n].kind == PUNCT && strchr("+-*/%&|^", *tok[n].s) && tok[n].len == 1 && is(n + 1, "=") && adjacent(n))
            return true;
        if ((is(n, "<") || is(n, ">")) && adjacent(n) && is(n + 1, is(n, "<") ? "<" : ">") && adjacent(n + 1) && is(n + 2, "="))
            return true;
        if ((is(n, "+") || is(n, "-")) && adjacent(n) && is(n + 1, is(n, "+") ? "+" : "-"))
            return true;
        if ((is(p, "+") || is(p, "-")) && p > 0 && adjacent(p - 1) && is(p - 1, is(p, "+") ? "+" : "-"))
            return true;
        if ((is(p, "&") || is(p, "&&")) && !operand_end(prev(p)))
            return true;
        if ((is(p, "(") || is(p, ",")) && (is(n, ",") || is(n, ")"))) {
            /* an argument: of a function of the program's own it may be a reference */
            int depth = 0, o = p;
            for (; o > a; o = prev(o)) {
                if (is(o, ")") || is(o, "]") || is(o, "}"))
                    o = match_back(o);
                else if (is(o, "(") && depth == 0)
                    break;
                else if (is(o, ";") || is(o, "{"))
                    break;
                if (o < 0)
                    return true;
            }
            int f = prev(o);
            if (is(o, "(") && ident(f) && (find_name(f) || is(f, "swap")))
                return true;
        }
    }
    return false;
}

/* Does an index follow the name anywhere?  What is no pointer is a class then, which may give a reference to its parts. */
static bool subscripted(int name)
{
    for (int i = sp.open; i < sp.close; i = next(i))
        if (ident(i) && tok[i].len == tok[name].len && !memcmp(tok[i].s, tok[name].s, (size_t)tok[i].len) && is(next(i), "["))
            return true;
    return false;
}

/* A call that may give another value when it is made anew, besides those of the program's own functions: it reads memory,
 * or draws a random number. */
static bool remembers(int i)
{
    static const char *const begins[] = {"__ld", "tex", "surf", "curand", "skipahead"};
    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
        if (!strncmp(tok[i].s, begins[k], strlen(begins[k])))
            return true;
    return false;
}

/* `f(` or `f<...>(`, which is no cast */
static bool is_call(int i)
{
    int e = next(i);
    if (is(e, "<") && !is(i, "static_cast") && !is(i, "reinterpret_cast") && !is(i, "const_cast")) {
        e = angle_forward(e);
        e = e < 0 ? i : next(e);
    }
    return is(e, "(");
}

/* Is a..b an expression without memory accesses and side effects?  threads: may it depend on the thread? */
static bool plain_expression(int a, int b, bool threads)
{
    for (int i = a; i <= b && tok[i].kind != END; i = next(i)) {
        if (tok[i].kind == STR)
            return false;
        if (tok[i].kind == PUNCT) {
            int p = prev(i);
            if (is(i, "[") || is(i, "{") || is(i, "->"))
                return false;
            if ((is(i, "*") || is(i, "&")) && (i == a || !operand_end(p)))
                return false;
            if (is(i, "=")) {
                bool comparison = (is(i + 1, "=") && adjacent(i)) || (i > a && adjacent(i - 1) && tok[i - 1].kind == PUNCT && strchr("=!<>", *tok[i - 1].s));
                if (!comparison)
                    return false;
            }
            if ((is(i, "+") || is(i, "-")) && adjacent(i) && is(i + 1, is(i, "+") ? "+" : "-"))
                return false;
            continue;
        }
        if (!ident(i) || is(prev(i), "."))
            continue;
        if (is(i, "threadIdx") && !threads)
            return false;
        Var *v = var_of(i);
        if (v && v->what != V_UNIFORM && v->what != V_ARRAY && v->what != (threads ? V_AGAIN : V_COUNTER))
            return false;
        if (is_call(i) && (!pure_call(i) || find_name(i) || remembers(i)) && !(is(next(i), "<") && shared_helper(i)))
            return false;
        if (is(i, "printf") || is(i, "assert") || is_changing(i))
            return false;
    }
    return true;
}

static int statement_end(int i);

static int statement_end(int i)
{
    if (is(i, "{"))
        return match(i);
    if (is(i, "if")) {
        int o = next(i);
        if (is(o, "constexpr"))
            o = next(o);
        int e = statement_end(next(match(o)));
        if (is(next(e), "else"))
            e = statement_end(next(next(e)));
        return e;
    }
    if (is(i, "for") || is(i, "while") || is(i, "switch"))
        return statement_end(next(match(next(i))));
    if (is(i, "do")) {
        int e = statement_end(next(i));
        return next(match(next(next(e))));
    }
    for (; tok[i].kind != END && !is(i, ";") && !is(i, "}"); i = next(i))
        if (is(i, "(") || is(i, "[") || is(i, "{"))
            i = match(i);
    return i;
}

static bool contains(int a, int b, const char *word)
{
    for (int i = a; i <= b && tok[i].kind != END; i = next(i))
        if (ident(i) && is(i, word))
            return true;
    return false;
}

static const char *const type_words[] = {"int", "unsigned", "float", "double", "char", "short", "long", "signed", "bool", "const",
    "size_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "auto", "constexpr", "static",
    "volatile", "register", "struct", "typename", "using", "typedef", "static_assert", "__shared__", "extern", "alignas", "enum", "union", NULL};

static bool is_declaration(int i)
{
    if (!ident(i))
        return false;
    if (in(type_words, i))
        return true;
    int n = next(i);
    while (is(n, "::") && ident(next(n)))
        n = next(next(n));
    if (is(n, "<")) {
        int a = angle_forward(n);
        if (a < 0)
            return false;
        n = next(a);
    }
    while (is(n, "*") || is(n, "&"))
        n = next(n);
    return ident(n) && (is(next(n), "=") || is(next(n), ";") || is(next(n), "[") || is(next(n), ",") || is(next(n), "{") || is(next(n), "("));
}

static bool used_in(int k, int a, int b)
{
    for (int i = a; i <= b && tok[i].kind != END; i = next(i))
        if (ident(i) && !is(prev(i), ".") && tok[i].len == sp.vars[k].len && !memcmp(tok[i].s, sp.vars[k].s, (size_t)tok[i].len))
            return true;
    return false;
}

/* ---- code that is checked in bulk ------------------------------------------------------------
 *
 * Under --check each access has a callback before it, which keeps g++ from vectorising.  Much code needs none: what it
 * touches is given by the thread's index, constants and a few values that are the same for all threads.  A region (the
 * code between two barriers, or a kernel without any) that is plainly like that is written twice:
 *
 *   for (int how = -1; how;)
 *     if (how > 0) { the region with its callbacks; cpudev_region_end(...); how = 0; }
 *     else {
 *       how = cpudev_region(&r, those values...);
 *       if (how > 1 && !touches()) how = 1;
 *       if (how == 3) { cpudev_region_plain(&r); the region without callbacks; how = 0; }
 *     }
 *
 * What it does to shared memory is recorded when it runs with its callbacks, and repeated later by the library, if
 * nothing that is on record stands against it (src/check_bulk.inc).  The addresses of its accesses to global memory are computed
 * by touches(), for all threads of the block at once.  Whatever is not understood here is left as it was. */

enum { DEP_THREAD = 1, DEP_BLOCK = 2, OPAQUE = 4 };
enum { MEM_SHARED = 1, MEM_GLOBAL = 2 };

static struct {
    struct {
        const char *s;
        int len, dims;
        int dep;                /* OPAQUE: it holds data */
        int first, last;        /* what it is made of */
    } local[64];                /* declared in the region */
    int nlocals;
    int keys[4], nkeys;         /* values on which the accesses depend */
    int params, params_end, first, last;
    char *touches;
    char *locals;               /* declarations that an address may need */
    char *mask;                 /* under which condition this is done */
    bool no_shared, no_global;  /* the condition, or a loop, depends on more than they may */
    int sites;
    bool writes;
} bulk;

static bool same_name(int i, const char *s, int len) { return tok[i].len == len && !memcmp(tok[i].s, s, (size_t)len); }

static int local_of(int i)
{
    for (int k = bulk.nlocals - 1; k >= 0; k--)
        if (same_name(i, bulk.local[k].s, bulk.local[k].len))
            return k;
    return -1;
}

/* In the kernel's parameters, is it the name at i, and a plain pointer? */
static bool pointer_param(int i)
{
    for (int k = next(bulk.params); k < bulk.params_end; k = next(k))
        if (ident(k) && same_name(k, tok[i].s, tok[i].len) && (is(next(k), ",") || is(next(k), ")"))) {
            int p = prev(k);
            while (is(p, "__restrict__") || is(p, "const") || is(p, "__restrict"))
                p = prev(p);
            return is(p, "*") && !is(prev(p), "*");
        }
    return false;
}

/* the tokens of a variable's initialiser; false if it has none */
static bool initialiser(int name, int *first, int *last)
{
    if (!is(next(name), "="))
        return false;
    *first = *last = next(next(name));
    for (int e = *first; tok[e].kind != END && !is(e, ",") && !is(e, ";") && !is(e, ")"); e = next(e)) {
        if (is(e, "(") || is(e, "[") || is(e, "{"))
            e = match(e);
        *last = e;
    }
    return true;
}

static int dims_of(int name)
{
    int n = 0;
    for (int e = next(name); is(e, "["); e = next(match(e)))
        n++;
    return n;
}

static bool known_call(int i)
{
    static const char *const others[] = {"printf", "swap", "sincos", "sincosf", "return", "while", "do", "switch", "catch", "for", "if", "else",
        "__attribute__", "curand_init", "__builtin_unreachable", "__builtin_assume", "__assume", NULL};
    const Name *n = find_name(i);
    return in(pure_names, i) && (!n || (n->pure && n->ours)) && !remembers(i) && !in(others, i) && strncmp(tok[i].s, "__st", 4);
}

/* On what do the values in a..b depend?  OPAQUE: on memory, or nobody knows.  Their keys are noted if wanted. */
static int depends(int a, int b, bool keys)
{
    static const char *const words[] = {"new", "delete", "throw", "return", "asm", "this", "printf", "assert", "co_await", NULL};
    int dep = 0;
    for (int i = a; i <= b && tok[i].kind != END; i = next(i)) {
        if (tok[i].kind == STR)
            return OPAQUE;
        if (tok[i].kind == PUNCT) {
            int p = prev(i);
            if (is(i, "[") || is(i, "{") || is(i, "->") || ((is(i, "*") || is(i, "&")) && (i == a || !operand_end(p))))
                return OPAQUE;
            if (is(i, "=") && !(is(i + 1, "=") && adjacent(i)) &&
                !(i > a && adjacent(i - 1) && tok[i - 1].kind == PUNCT && strchr("=!<>", *tok[i - 1].s) && !is(i - 2, "<") && !is(i - 2, ">")))
                return OPAQUE;
            if ((is(i, "+") || is(i, "-")) && adjacent(i) && is(i + 1, is(i, "+") ? "+" : "-"))
                return OPAQUE;
            if (is(i, "(") && (is(p, "]") || (is(p, ")") && !ident(prev(p)) && !is(prev(p), "*"))))
                return OPAQUE;
            continue;
        }
        if (!ident(i) || is(prev(i), "."))
            continue;
        int l = local_of(i);
        Var *v = l >= 0 ? NULL : var_of(i);
        if (in(words, i) || is_changing(i) || (is(next(i), "(") && !known_call(i)))
            return OPAQUE;
        if (is(i, "threadIdx"))
            dep |= DEP_THREAD;
        else if (is(i, "blockIdx"))
            dep |= DEP_BLOCK;
        else if (l >= 0) {
            dep |= bulk.local[l].dep;
            if (keys && bulk.local[l].first < a)
                dep |= depends(bulk.local[l].first, bulk.local[l].last, true);
        } else if (v && v->what == V_UNIFORM) {
            int k = 0;
            while (keys && k < bulk.nkeys && !same_name(bulk.keys[k], v->s, v->len))
                k++;
            if (keys && k == bulk.nkeys) {
                if (k == 4)
                    return OPAQUE;
                bulk.keys[bulk.nkeys++] = i;
            }
        } else if (v) {
            int first, last;
            dep |= v->what == V_AGAIN && initialiser(v->at, &first, &last) ? depends(first, last, keys) : OPAQUE;
        }
        if (dep & OPAQUE)
            return OPAQUE;
    }
    return dep;
}

/* Of a block of the launch nothing but the keys has a say in a..b. */
static bool keyed(int a, int b) { return !(depends(a, b, false) & (DEP_BLOCK | OPAQUE)) && !(depends(a, b, true) & OPAQUE); }

static bool array_at(int i, int *dims, bool *shared)
{
    int l = local_of(i);
    Var *v = l >= 0 ? NULL : var_of(i);
    *shared = v && v->what <= V_ARRAY;
    *dims = l >= 0 ? bulk.local[l].dims : v && (v->what <= V_ARRAY || v->what == V_STORED) ? dims_of(v->at) : 0;
    return *dims > 0 || *shared;
}

/* What kinds of memory are there in a..b? */
static int memory_in(int a, int b)
{
    int mem = 0, dims;
    bool shared;
    for (int i = a; i <= b && tok[i].kind != END; i = next(i))
        if (ident(i) && !is(prev(i), ".")) {
            if (array_at(i, &dims, &shared))
                mem |= MEM_SHARED;
            else if (is(next(i), "["))
                mem |= MEM_GLOBAL;
        } else if (is(i, "[") && !ident(prev(i)) && !is(prev(i), "]"))
            mem |= MEM_GLOBAL;
    return mem;
}

static char *marker(const Token *t, bool ours) { return t->file ? format("\n# %d \"%s\"%s\n", t->line, t->file, ours ? " 3" : "") : format("\n"); }

/* the loops over the threads of code without callbacks, and what each thread begins with */
static char *thread_loops(const Token *t, bool stored)
{
    char *s = format("for (unsigned cpudev_z = 0; cpudev_z < blockDim.z; cpudev_z++) for (unsigned cpudev_y = 0; cpudev_y < blockDim.y; cpudev_y++) {\n#pragma GCC ivdep");
    append(&s, marker(t, true));
    append(&s, format("for (unsigned cpudev_x = 0; cpudev_x < cpudev_sx; cpudev_x++) { [[maybe_unused]] const uint3 threadIdx = {cpudev_x, cpudev_y, cpudev_z}; "
                      "[[maybe_unused]] const unsigned long cpudev_t = cpudev_x + (unsigned long)cpudev_sx * (cpudev_y + blockDim.y * cpudev_z); "));
    for (int k = 0; k < sp.nvars; k++)
        if (sp.vars[k].text && (sp.vars[k].what != V_STORED || (stored && used_in(k, bulk.first, bulk.last))))
            append(&s, format("%s ", sp.vars[k].text));
    return s;
}

/* An access to global memory, base[first..last]member: its address for all threads. */
static bool touch(int base, int last, bool write)
{
    int open = next(base), close = match(open), l = local_of(base), dep = depends(base, base, false);
    Var *v = l >= 0 ? NULL : var_of(base);
    if (bulk.no_global || bulk.sites == 16 || (l < 0 && !v && !pointer_param(base)) || dep & OPAQUE || depends(next(open), prev(close), false) & OPAQUE)
        return false;
    if (is(next(last), "+") || is(next(last), "-"))
        if (is(next(last) + 1, is(next(last), "+") ? "+" : "-"))
            return false;
    int p = prev(base);
    if ((is(p, "+") || is(p, "-")) && is(p - 1, is(p, "+") ? "+" : "-") && adjacent(p - 1))
        return false;
    for (int k = next(close); k <= last; k = next(k))      /* of a vector: another member may be a bit-field */
        if (ident(k) && (tok[k].len != 1 || !strchr("xyzw", *tok[k].s)))
            return false;
    char *where = text_of(base, last);
    append(&bulk.touches, thread_loops(&tok[base], false));
    append(&bulk.touches, format("%scpudev_bytes = sizeof(%s); cpudev_at[cpudev_t] = %s%s(unsigned long)&(%s)%s; } } if (!::cpudev_region_touch(&cpudev_r, %d, cpudev_bytes, %d)) return false; ",
                                 bulk.locals, where, bulk.mask, *bulk.mask ? " ? " : "", where, *bulk.mask ? " : 0" : "", bulk.sites, write));
    free(where);
    bulk.sites++;
    bulk.writes |= write;
    return true;
}

/* An array's element at *i, of whatever memory: on to its last token. */
static bool element(int *i, bool write, bool read)
{
    int base = *i, dims, n = 0, e = base;
    bool shared, array = array_at(base, &dims, &shared);
    for (int k = next(base); is(k, "["); k = next(e), n++) {
        e = match(k);
        if (array && !keyed(next(k), prev(e)))
            return false;
    }
    int last = e;
    while (is(next(last), ".") && ident(next(next(last))))
        last = next(next(last));
    if (is(next(last), "[") || is(next(last), "(") || is(next(last), "->") || is(next(last), "."))
        return false;
    *i = last;
    if (array)
        return n == dims && !bulk.no_shared;
    return n == 1 && (!read || touch(base, last, false)) && (!write || touch(base, last, true));
}

/* An expression of any values, whose accesses to memory are all understood. */
static bool bulk_values(int a, int b)
{
    static const char *const words[] = {"new", "delete", "throw", "return", "asm", "this", "printf", "assert", "goto", "volatile", "co_await", NULL};
    bool perhaps = false;       /* what follows is not always done */
    for (int i = a; i <= b && tok[i].kind != END; i = next(i)) {
        int p = prev(i), dims;
        bool shared;
        if (tok[i].kind == STR)
            return false;
        if (tok[i].kind == PUNCT) {
            if (is(i, "[") || is(i, "{") || is(i, "->") || ((is(i, "*") || is(i, "&")) && (i == a || !operand_end(p))))
                return false;
            if (is(i, "(") && (is(p, "]") || (is(p, ">") && angle_back(p) >= 0 && ident(prev(angle_back(p))) && !is(prev(angle_back(p)), "static_cast"))))
                return false;
            perhaps |= is(i, "?") || is(i, "&&") || (is(i, "|") && is(i + 1, "|"));
            continue;
        }
        if (!ident(i) || is(p, "."))
            continue;
        if (is(p, "::") || in(words, i) || is_changing(i) || (is(next(i), "(") && !known_call(i)))
            return false;
        if (is(next(i), "[") || array_at(i, &dims, &shared)) {
            if (perhaps || !element(&i, false, true))
                return false;
        }
    }
    return true;
}

static bool bulk_statement(int i, int e, bool top);

/* i..e under a condition: c, or not */
static bool bulk_under(int i, int e, int c, int d, bool holds, bool expression)
{
    char *keep = bulk.mask, *cond = text_of(c, d);
    bulk.mask = format("%s%s%s(%s)", keep, *keep ? " && " : "", holds ? "" : "!", cond);
    free(cond);
    bool ok = expression ? bulk_values(i, e) : bulk_statement(i, e, false);
    free(bulk.mask);
    bulk.mask = keep;
    return ok;
}

/* Sets what may not be done under the condition a..b, which `mem` depends on; false if that is in doubt. */
static bool condition(int a, int b, int mem)
{
    if (depends(a, b, false) & OPAQUE)
        return false;
    if (mem & MEM_SHARED && !keyed(a, b))
        bulk.no_shared = true;
    return true;
}

/* a..b, which may be `condition ? x : y` with these signs in it */
static bool bulk_choice(int a, int b, int question, int colon)
{
    int mem = question >= 0 && colon >= 0 ? memory_in(next(question), b) : 0;
    if (!mem)
        return bulk_values(a, b);
    bool no_shared = bulk.no_shared;
    bool ok = condition(a, prev(question), mem) && bulk_under(next(question), prev(colon), a, prev(question), true, true) &&
              bulk_under(next(colon), b, a, prev(question), false, true);
    bulk.no_shared = no_shared;
    return ok;
}

static bool bulk_expression(int a, int b)
{
    int op = -1, question = -1, colon = -1, assignments = 0;
    for (int i = a; i <= b && tok[i].kind != END; i = is(i, "(") || is(i, "[") ? next(match(i)) : next(i)) {
        if (is(i, "=") && is(i + 1, "=") && adjacent(i))
            i++;
        else if (is(i, "=") && !(i > a && adjacent(i - 1) && tok[i - 1].kind == PUNCT && strchr("=!<>", *tok[i - 1].s) && !is(i - 2, tok[i - 1].s[0] == '<' ? "<" : ">"))) {
            op = op < 0 ? i : op;
            assignments++;
        } else if (is(i, "?") && question < 0)
            question = i;
        else if (is(i, "?"))
            colon = -2;
        else if (is(i, ":") && question >= 0 && colon == -1)
            colon = i;
        else if (is(i, ","))
            return false;
    }
    int rhs = a;
    if (op >= 0) {
        int l = a, lhs_end = prev(op);
        bool compound = adjacent(op - 1) && tok[op - 1].kind == PUNCT && strchr("+-*/%&|^<>", *tok[op - 1].s);
        if (compound)
            lhs_end = prev(lhs_end);
        if (compound && (is(op - 1, "<") || is(op - 1, ">")))
            lhs_end = prev(lhs_end);
        rhs = next(op);
        if (!ident(l) || assignments > 1)
            return false;
        if (is(next(l), "[")) {
            char *keep = bulk.touches;      /* the assignment comes after what it assigns */
            bulk.touches = format("%s", "");
            bool ok = element(&l, true, compound) && l == lhs_end;
            char *write = bulk.touches;
            bulk.touches = keep;
            ok = ok && bulk_choice(rhs, b, question, colon);
            append(&bulk.touches, write);
            return ok;
        }
        if (!bulk_values(a, lhs_end))
            return false;
    }
    return bulk_choice(rhs, b, question, colon);
}

/* `T a = x, b[4];` in a region; e its semicolon.  Variables that split_list has made something else are not declared. */
static bool bulk_declaration(int i, int e)
{
    int type = i, name = -1;
    static const char *const others[] = {"static", "extern", "volatile", "struct", "enum", "union", "typedef", "using", "__shared__", "register", "static_assert", NULL};
    for (; type < e; type = next(type)) {
        if (in(others, type))
            return false;
        if (is(type, "<")) {
            type = angle_forward(type);
            if (type < 0 || type > e)
                return false;
            continue;
        }
        int n = next(type);
        if (is(type, "&") || is(type, "&&") || is(type, "("))
            return false;
        if (is(type, "*") || (ident(type) && type != i && (is(n, "=") || is(n, "[") || is(n, ",") || is(n, ";"))))
            break;
    }
    bool star = is(type, "*");
    for (name = star ? next(type) : type; name < e;) {
        if (is(name, "const") || is(name, "__restrict__"))
            name = next(name);
        if (!ident(name) || bulk.nlocals == 64)
            return false;
        int dims = dims_of(name), first, last, end = next(name);
        for (int k = 0; k < dims; k++) {
            if (depends(next(end), prev(match(end)), false))
                return false;
            end = next(match(end));
        }
        Var *v = var_of(name);
        bool outer = v && v->at == name, list = false;
        int dep = OPAQUE;
        if (is(end, "=") && is(next(end), "{")) {                 /* = {0}: no memory in it */
            int close = match(next(end));
            list = true;
            if (next(next(end)) < close && !bulk_values(next(next(end)), prev(close)))
                return false;
            first = last = name;
            end = next(close);
        } else if (initialiser(prev(end) == name ? name : prev(end), &first, &last)) {
            end = next(last);
            dep = depends(first, last, false);
            if (outer || dims || changed_in(name, bulk.first, bulk.last))
                dep = OPAQUE;
            if (dep & OPAQUE && (star || !bulk_expression(first, last)))
                return false;
        } else
            first = last = name;
        if ((star && (dep & OPAQUE || dims)) || (!is(end, ",") && !is(end, ";")))
            return false;
        if (outer && (dims == 0 || list))
            outer = true;
        else if (!outer) {
            if (!(dep & OPAQUE)) {
                char *t = text_of(i, prev(type)), *x = text_of(first, last);
                append(&bulk.locals, format("[[maybe_unused]] %s %s%.*s = %s; ", t, star ? "*" : "", tok[name].len, tok[name].s, x));
                free(t);
                free(x);
            }
            bulk.local[bulk.nlocals].s = tok[name].s;
            bulk.local[bulk.nlocals].len = tok[name].len;
            bulk.local[bulk.nlocals].dims = dims;
            bulk.local[bulk.nlocals].dep = dep;
            bulk.local[bulk.nlocals].first = first;
            bulk.local[bulk.nlocals++].last = last;
        }
        name = next(end);
        if (is(end, ";"))
            break;
        if (star && !is(name, "*"))
            return false;
        if (star)
            name = next(name);
        else if (is(name, "*"))
            return false;
    }
    return true;
}

static bool bulk_list(int a, int b, bool top)
{
    int locals = bulk.nlocals;
    size_t text = strlen(bulk.locals);
    bool ok = true;
    for (int i = a; ok && i <= b;) {
        int e = statement_end(i);
        if (e > b || tok[e].kind == END)
            return false;
        ok = bulk_statement(i, e, top);
        i = next(e);
    }
    if (!top) {
        bulk.nlocals = locals;
        bulk.locals[text] = 0;
    }
    return ok;
}

static bool bulk_for(int i, int e)
{
    int o = next(i), c = match(o), s1 = next(o), s2, body = next(c), locals = bulk.nlocals;
    size_t text = strlen(bulk.locals);
    for (; s1 < c && !is(s1, ";"); s1 = next(s1))
        if (is(s1, "(") || is(s1, "[") || is(s1, "{"))
            s1 = match(s1);
    for (s2 = next(s1); s2 < c && !is(s2, ";"); s2 = next(s2))
        if (is(s2, "(") || is(s2, "[") || is(s2, "{"))
            s2 = match(s2);
    if (s2 >= c || next(s1) == s2 || next(s2) == c || !is_declaration(next(o)) || contains(body, e, "continue"))
        return false;
    /* the variables of its head */
    int first = next(o), mem = memory_in(body, e), dep = 0;
    if (!bulk_declaration(first, s1) || bulk.nlocals == locals)
        return false;
    bulk.locals[text] = 0;
    for (int k = locals; k < bulk.nlocals; k++) {
        int name = bulk.local[k].first;
        if (bulk.local[k].dims || name == 0)
            return false;
        while (name > first && !same_name(name, bulk.local[k].s, bulk.local[k].len))
            name = prev(name);
        dep |= depends(bulk.local[k].first, bulk.local[k].last, false);
        if (changed_in(name, body, e) || changed_in(name, next(s1), prev(s2)))
            return false;
        bulk.local[k].dep = 0;
    }
    dep |= depends(next(s1), prev(s2), false);
    for (int k = next(s2); k < c; k = next(k)) {    /* the step: its own variables change, by what is as plain */
        int l = ident(k) ? local_of(k) : -1;
        if (is(k, "[") || is(k, "(") || is(k, "?") || (ident(k) && l < locals && changed_in(k, s2, c)))
            return false;
        if (ident(k) && !(l >= locals) && !is(prev(k), "."))
            dep |= depends(k, k, false);
    }
    if (dep & OPAQUE)
        return false;
    for (int k = locals; k < bulk.nlocals; k++) {
        bulk.local[k].dep = dep;
        bulk.local[k].first = first;
        bulk.local[k].last = first;
    }
    bool no_shared = bulk.no_shared, no_global = bulk.no_global, ok = true;
    if (mem & MEM_SHARED) {
        bool keyed_head = !(dep & DEP_BLOCK);
        for (int k = first; keyed_head && k < c; k = next(k))
            if (ident(k) && !is(prev(k), ".") && local_of(k) < locals && depends(k, k, true) & OPAQUE)
                keyed_head = false;
        bulk.no_shared |= !keyed_head;
    }
    bulk.no_global |= dep & DEP_THREAD;
    bool loop = mem & MEM_GLOBAL && !bulk.no_global;
    if (loop) {
        char *head = text_of(i, c);
        append(&bulk.touches, format("%s { ", head));
        free(head);
    }
    /* a pure value declared outside may be in the head; the loop over the threads is inside */
    for (int k = next(o); loop && k < c; k = next(k)) {
        int l = ident(k) ? local_of(k) : -1;
        Var *v = ident(k) && l < 0 ? var_of(k) : NULL;
        if ((l >= 0 && l < locals) || (v && v->what == V_AGAIN))
            return false;
    }
    ok = bulk_statement(body, e, false);
    if (loop)
        append(&bulk.touches, format("} "));
    bulk.no_shared = no_shared;
    bulk.no_global = no_global;
    bulk.nlocals = locals;
    bulk.locals[text] = 0;
    return ok;
}

static bool bulk_if(int i, int e, bool top)
{
    int o = is(next(i), "constexpr") ? next(next(i)) : next(i), c = match(o), then = next(c), end = statement_end(then), other = is(next(end), "else") && next(end) < e ? next(next(end)) : -1;
    int a = next(o), b = prev(c);
    bool no_shared = bulk.no_shared, ok;
    if (!is(o, "("))
        return false;
    if (is(then, "return")) {
        if (!top || other >= 0 || !is(next(then), ";") || !condition(a, b, memory_in(next(e), bulk.last)))
            return false;
        char *cond = text_of(a, b);
        append(&bulk.mask, format("%s!(%s)", *bulk.mask ? " && " : "", cond));
        free(cond);
        return true;
    }
    int mem = memory_in(then, e);
    if (!mem) {
        /* what is done without memory need not be understood, but for its words */
        if (!bulk_expression(a, b))
            return false;
        char *keep = bulk.locals;
        bulk.locals = format("%s", keep);
        ok = bulk_statement(then, end, false) && (other < 0 || bulk_statement(other, e, false));
        free(bulk.locals);
        bulk.locals = keep;
        return ok;
    }
    if (!condition(a, b, mem))
        return false;
    ok = bulk_under(then, end, a, b, true, false) && (other < 0 || bulk_under(other, e, a, b, false, false));
    bulk.no_shared = no_shared;
    return ok;
}

static bool bulk_statement(int i, int e, bool top)
{
    static const char *const others[] = {"while", "do", "switch", "return", "break", "continue", "goto", "case", "default", "try", "asm", "else", "using", "typedef", "class", NULL};
    if (is(i, "{"))
        return bulk_list(next(i), prev(e), false);
    if (is(i, "for"))
        return bulk_for(i, e);
    if (is(i, "if"))
        return bulk_if(i, e, top);
    if (is(i, ";"))
        return true;
    if (in(others, i) || !is(e, ";") || (ident(i) && is(next(i), ":")))
        return false;
    return is_declaration(i) ? bulk_declaration(i, e) : bulk_expression(i, prev(e));
}

/* The tokens of a region with the edits that have been made to them so far. */
static char *edited(int a, int b)
{
    char *s = format("%s", "");
    for (int i = a; i <= b && tok[i].kind != END; i = next(i)) {
        bool drop = false;
        char *after = format("%s", "");
        for (int k = 0; k < sp.nedits; k++)
            if (sp.edits[k].at == i) {
                drop |= sp.edits[k].drop;
                if (sp.edits[k].before)
                    append(&s, format("%s", sp.edits[k].before));
                if (sp.edits[k].after)
                    append(&after, format("%s", sp.edits[k].after));
            }
        if (!drop)
            append(&s, is(i, "return") ? format(" continue") : format("%s%.*s", adjacent(i - 1) ? "" : " ", tok[i].len, tok[i].s));
        append(&s, after);
    }
    return s;
}

/* Is the region a..b such code?  Then *before and *after are what goes round the region with its callbacks. */
static bool bulk_region(int a, int b, char **before, char **after)
{
    bulk.first = a;
    bulk.last = b;
    bulk.nlocals = bulk.nkeys = bulk.sites = 0;
    bulk.no_shared = bulk.no_global = bulk.writes = false;
    bulk.touches = format("%s", "");
    bulk.locals = format("%s", "");
    bulk.mask = format("%s", "");
    bool ok = memory_in(a, b) && bulk_list(a, b, true);
    for (int i = a; ok && i < b; i = next(i))              /* a launch */
        ok = !(is(i, "<") && is(i + 1, "<") && is(i + 2, "<"));
    if (ok) {
        const Token *t = &tok[a];
        char *captures = format("=");
        for (int k = 0; k < sp.nvars; k++)
            if ((sp.vars[k].what <= V_ARRAY || sp.vars[k].what == V_STORED) && used_in(k, a, b))
                append(&captures, format(", &%.*s%s", sp.vars[k].len, sp.vars[k].s, sp.vars[k].what == V_STORED ? "__cpudev" : ""));
        static const char lambda[] = "() __attribute__((always_inline, no_sanitize(\"thread\"), no_sanitize(\"bounds\"))) { const uint3 cpudev_b = blockIdx; "
                                     "const unsigned cpudev_sx = blockDim.x < 1024 ? blockDim.x : 1024; { [[maybe_unused]] const uint3 blockIdx = {cpudev_b.x & 0xfffff, cpudev_b.y, cpudev_b.z}; ";
        *before = format(" { static ::cpudev_bulk cpudev_r = {%d, %d, 0}; for (int cpudev_how = -1; cpudev_how;) if (cpudev_how > 0) {", bulk.sites, bulk.writes);
        *after = format(" ::cpudev_region_end(&cpudev_r); cpudev_how = 0; } else {");
        append(after, marker(t, true));
        append(after, format("cpudev_how = !cpudev_trivial ? 1 : ::cpudev_region(&cpudev_r, blockIdx.x"));
        for (int k = 0; k < 4; k++)
            append(after, k < bulk.nkeys ? format(", ::cpudev::key(%.*s)", tok[bulk.keys[k]].len, tok[bulk.keys[k]].s) : format(", 0"));
        append(after, format("); "));
        if (bulk.sites)
            append(after, format("if (cpudev_how > 1 && !::cpudev::unwatched([=]%s unsigned long *const cpudev_at = ::cpudev_region_addresses(), cpudev_bytes = 0; %s } return true; })) cpudev_how = ::cpudev_region_not(&cpudev_r); ",
                                 lambda, bulk.touches));
        char *loops = thread_loops(t, true), *body = edited(a, b);
        append(after, format("if (cpudev_how == 3) { ::cpudev_region_plain(&cpudev_r); ::cpudev::unwatched([%s]%s %s %s } } } }); ::cpudev_region_end(&cpudev_r); cpudev_how = 0; } } }", captures, lambda, loops, body));
        append(after, marker(&tok[b], false));
        free(loops);
        free(body);
        free(captures);
    }
    free(bulk.touches);
    free(bulk.locals);
    free(bulk.mask);
    return ok;
}

static void region_close(void)
{
    if (sp.region_first < 0)
        return;
    char *bulk_before = NULL, *bulk_after = NULL;
    sp.bulk = check_mode && sp.ok && !sp.no_bulk && bulk_region(sp.region_first, sp.region_last, &bulk_before, &bulk_after);
    char *head = format("%s %s %s ", sp.storage ? sp.storage : "", sp.bulk ? bulk_before : "",
                        check_mode ? /* no lambda: what that captures would be memory whose every access is looked at */
                                     "for (unsigned cpudev_z = 0; cpudev_z < blockDim.z; cpudev_z++) for (unsigned cpudev_y = 0; cpudev_y < blockDim.y; cpudev_y++) "
                                     "for (unsigned cpudev_x = 0; cpudev_x < blockDim.x; cpudev_x++) { [[maybe_unused]] const uint3 threadIdx = {cpudev_x, cpudev_y, cpudev_z}; "
                                     "const unsigned long cpudev_t = cpudev_x + blockDim.x * (cpudev_y + blockDim.y * cpudev_z); ::cpudev::turn(cpudev_t);"
                                   : "::cpudev::for_threads(blockDim, [&]([[maybe_unused]] const uint3 threadIdx, [[maybe_unused]] const unsigned long cpudev_t) "
                                     "__attribute__((always_inline)) {");
    for (int k = 0; k < sp.nvars; k++)
        if (sp.vars[k].text)
            append(&head, format("%s ", sp.vars[k].text));
    if (sp.last_region_had_return)       /* a thread that has returned must not go on after the barrier */
        sp.ok = false;
    sp.last_region_had_return = contains(sp.region_first, sp.region_last, "return");
    bool leaves = check_mode && sp.last_region_had_return;
    if (leaves)
        append(&head, format("{ "));
    edit(sp.region_first, false, head, NULL);
    if (!check_mode)
        edit(sp.region_last, false, NULL, format(" });"));
    else if (!leaves)
        edit(sp.region_last, false, NULL, format(" }"));
    else {
        edit(sp.region_last, false, NULL, format(" } cpudev_next_%d:; }", sp.region_first));
        for (int i = sp.region_first; i <= sp.region_last && tok[i].kind != END; i = next(i))
            if (ident(i) && is(i, "return")) {
                edit(i, true, format("goto cpudev_next_%d", sp.region_first), NULL);
                sp.ok = sp.ok && is(next(i), ";");
            }
    }
    if (sp.bulk)
        edit(sp.region_last, false, NULL, bulk_after);
    free(bulk_before);
    free(sp.storage);
    sp.storage = NULL;
    sp.region_first = -1;
}

/* Is each change of the variable named at `name` a statement of its own, or the step of a loop, that stands where split_list()
 * goes, so that all threads do it together? */
static bool only_counts(int name)
{
    for (int i = next(sp.open); i < sp.close; i = next(i)) {
        if (i == name || !ident(i) || tok[i].len != tok[name].len || memcmp(tok[i].s, tok[name].s, (size_t)tok[i].len) || !changed_in(name, i, i))
            continue;
        int s = i;
        while (is(prev(s), "+") || is(prev(s), "-"))
            s = prev(s);
        if ((!is(prev(s), ";") && !is(prev(s), "{") && !is(prev(s), "}")) || is(next(i), "."))
            return false;
        for (int o = enclosing(s); o > sp.open; o = enclosing(o)) {
            bool step = is(o, "(") && is(prev(o), "for");
            if ((!is(o, "{") && !step) || !contains(o, step ? statement_end(prev(o)) : match(o), "__syncthreads"))
                return false;
        }
    }
    return true;
}

/* `v++;`, `++v;`, `v += e;` of such a variable: the variable's name, or -1 */
static int counting(int i)
{
    while (is(i, "+") || is(i, "-"))
        i = next(i);
    const Var *v = ident(i) ? var_of(i) : NULL;
    return v && v->what == V_COUNTER ? i : -1;
}

static void split_counting(int i, int e)
{
    int name = counting(i), equals = next(name);
    region_close();
    if (name != i || (is(equals, "+") && is(next(equals), "+")) || (is(equals, "-") && is(next(equals), "-"))) {
        sp.ok = sp.ok && (name != i ? next(name) == e : next(next(equals)) == e);
        return;
    }
    while (equals < e && !is(equals, "="))
        equals = next(equals);
    if (equals >= e || !plain_expression(next(equals), prev(e), false))
        sp.ok = false;
}

static void region_add(int a, int b)
{
    for (int k = 0; k < sp.nvars; k++)
        if (sp.vars[k].what == V_COUNTER && changed_in(sp.vars[k].at, a, b))
            sp.ok = false;
    if (sp.region_first < 0)
        sp.region_first = a;
    sp.region_last = b;
}

/* `volatile T *p`, where not the variable is volatile */
static bool volatile_pointer(int a, int b)
{
    bool seen = false;
    for (int i = a; i < b && !is(i, "="); i = next(i)) {
        if (is(i, "volatile") && seen)
            return false;
        seen |= is(i, "*");
    }
    return seen;
}

/* A declaration of the list: a..b with b its semicolon. */
static void split_declaration(int a, int b)
{
    if (contains(a, b, "__shared__")) {
        region_close();
        for (int i = a; i < b; i = next(i)) {
            int n = next(i);
            if (ident(i) && (is(n, "[") || is(n, ",") || is(n, ";")))
                add_var(i, is(n, "[") ? V_ARRAY : V_SHARED, NULL);
            if (is(n, "["))
                i = match(n);
        }
        return;
    }
    if (is(a, "using") || is(a, "typedef") || is(a, "static_assert") || is(a, "constexpr")) {
        region_close();
        if (is(a, "constexpr"))
            for (int i = a; i < b; i = next(i))
                if (ident(i) && is(next(i), "="))
                    add_var(i, V_UNIFORM, NULL);
        return;
    }
    if (is(a, "static") || is(a, "extern") || (contains(a, b, "volatile") && !volatile_pointer(a, b)) || is(a, "struct") || is(a, "enum") || is(a, "union")) {
        sp.ok = false;
        return;
    }
    /* the type: up to the first declarator */
    int i = a, type_end = -1;
    for (; i < b; i = next(i)) {
        if (is(i, "<")) {
            int e = angle_forward(i);
            if (e < 0) {
                sp.ok = false;
                return;
            }
            i = e;
            continue;
        }
        int n = next(i);
        if (is(i, "*") || is(i, "&") || is(i, "&&"))
            break;
        if (ident(i) && (is(n, "=") || is(n, "[") || is(n, ",") || is(n, ";") || is(n, "(") || is(n, "{")) && i != a)
            break;
        type_end = i;
    }
    if (type_end < 0 || i >= b || contains(a, type_end, "auto")) {
        /* auto: a value that is computed anew needs no type */
        if (!(type_end >= 0 && i < b && contains(a, type_end, "auto"))) {
            sp.ok = false;
            return;
        }
    }
    char *type = format("%s", "");
    bool is_auto = false;
    for (int k = a; k <= type_end; k = next(k)) {
        is_auto |= is(k, "auto");
        if (!is(k, "const"))
            append(&type, format("%.*s ", tok[k].len, tok[k].s));
    }
    if (is(i, "*") && prev(i) != type_end) {
        sp.ok = false;
    }
    bool pointer_to_const = contains(a, type_end, "const");
    bool dropped_all = true, stored = false;
    int d = i;
    /* look at each declarator */
    for (int pass = 0; pass < 2 && sp.ok; pass++) {
        for (d = i; d < b && sp.ok;) {
            char *stars = format("%s", "");
            int name = d;
            while (is(name, "*") || is(name, "const") || is(name, "__restrict__") || is(name, "&") || is(name, "&&")) {
                if (is(name, "&") || is(name, "&&"))
                    sp.ok = false;
                if (is(name, "*"))
                    append(&stars, format("*"));
                name = next(name);
            }
            if (!ident(name)) {
                sp.ok = false;
                free(stars);
                break;
            }
            int e = next(name), dims = -1, ndims = 0;
            while (is(e, "[")) {
                ndims++;
                dims = match(e);
                e = next(dims);
            }
            int first = -1, last = -1;
            if (is(e, "=")) {
                first = next(e);
                for (e = first; e < b && !is(e, ","); e = next(e)) {
                    if (is(e, "(") || is(e, "[") || is(e, "{"))
                        e = match(e);
                    else if (is(e, "<") && angle_forward(e) > 0 && angle_forward(e) < b && ident(prev(e)) && is(next(angle_forward(e)), "("))
                        e = angle_forward(e);
                    last = e;
                }
            } else if (!is(e, ",") && !is(e, ";")) {
                sp.ok = false;
                free(stars);
                break;
            }
            bool changed = changed_in(name, sp.open, sp.close) || (!*stars && !is_auto && subscripted(name));
            bool uniform = first >= 0 && dims < 0 && !changed && plain_expression(first, last, false);
            bool counter = first >= 0 && dims < 0 && changed && !*stars && plain_expression(first, last, false) && only_counts(name);
            bool again = first >= 0 && dims < 0 && !changed && plain_expression(first, last, true);
            const char *cv = pointer_to_const && *stars ? "const " : "";
            if (pass == 0) {
                if (!uniform && !again && !counter)
                    stored = true;
            } else if (!stored && counter) {
                add_var(name, V_COUNTER, NULL);
                sp.no_bulk = true;
                dropped_all = false;
            } else if (!stored && (uniform || again)) {
                for (int k = first; k <= last; k = next(k))     /* it may point to shared memory */
                    sp.no_bulk |= ident(k) && ((var_of(k) && var_of(k)->what == V_ARRAY) || (is(next(k), "<") && shared_helper(k)));
                char *init = text_of(first, last);
                char *decl = format("[[maybe_unused]] const %s%s%s%.*s = %s;", is_auto ? "auto " : "", is_auto ? "" : type, is_auto ? "" : *stars ? (append(&stars, format(" const ")), stars) : "",
                                    tok[name].len, tok[name].s, init);
                if (*stars && !pointer_to_const) {
                    free(decl);
                    decl = format("[[maybe_unused]] %s%s %.*s = %s;", is_auto ? "auto " : type, is_auto ? "" : stars, tok[name].len, tok[name].s, init);
                }
                free(init);
                /* uniform: declared once, outside the regions, where it stands; others in each region */
                if (uniform) {
                    add_var(name, V_UNIFORM, NULL);
                    dropped_all = false;
                    free(decl);
                } else
                    add_var(name, V_AGAIN, decl);
            } else {
                /* `= {}` and `= {0}` clear an array; other lists are left to the fibers */
                bool clear = first >= 0 && dims >= 0 && is(first, "{");
                for (int k = first; clear && k <= last; k = next(k))
                    clear = is(k, "{") || is(k, "}") || (tok[k].kind == NUM && strtod(tok[k].s, NULL) == 0);
                bool guarded = check_mode && decays(name, ndims, e, sp.close); /* another thread may get at it: each needs its own */
                if (is_auto || guarded || (first >= 0 && is(first, "{") && !clear) || (first >= 0 && dims >= 0 && !clear)) {
                    sp.ok = false;
                    free(stars);
                    break;
                }
                char *extent = dims >= 0 ? text_of(next(name), dims) : format("%s", "");
                append(&sp.storage, format(" alignas(64) %s%s %s%.*s__cpudev[1024]%s;", cv, type, stars, tok[name].len, tok[name].s, extent));
                free(extent);
                add_var(name, V_STORED, format("[[maybe_unused]] auto &%.*s = %.*s__cpudev[cpudev_t];", tok[name].len, tok[name].s, tok[name].len, tok[name].s));
                if (clear) {
                    edit(name, true, format(" memset((void *)%.*s, 0, sizeof %.*s)", tok[name].len, tok[name].s, tok[name].len, tok[name].s), NULL);
                    for (int k = next(name); k <= last; k = next(k))
                        edit(k, true, NULL, NULL);
                } else if (first < 0) {     /* otherwise the initialiser stays where it is, as an assignment */
                    for (int k = d; k < e; k = next(k))
                        edit(k, true, NULL, NULL);
                }
                for (int k = d; k < name; k = next(k))
                    edit(k, true, NULL, NULL);
                if (e < b) {                              /* the comma becomes the end of a statement */
                    edit(e, true, format(";"), NULL);
                }
            }
            free(stars);
            d = e < b ? next(e) : e;
        }
    }
    free(type);
    if (!sp.ok)
        return;
    if (stored) {
        for (int k = a; k <= type_end; k = next(k))
            edit(k, true, NULL, NULL);
        region_add(a, b);
        return;
    }
    if (dropped_all) {
        for (int k = a; k <= b && tok[k].kind != END; k = next(k))
            edit(k, true, NULL, NULL);
        if (sp.region_first >= 0) {
            /* the region that is open was begun without it */
            region_close();
        }
        return;
    }
    /* some uniform: keep the declaration outside; those that depend on the thread cannot share it */
    for (int k = sp.nvars - 1, n = 0; k >= 0 && n < 16; k--, n++)
        if (sp.vars[k].what == V_AGAIN && sp.vars[k].s > tok[a].s && sp.vars[k].s < tok[b].s)
            sp.ok = false;
    region_close();
}

static void split_list(int a, int b);

static void split_body(int i)
{
    if (is(i, "{"))
        split_list(next(i), prev(match(i)));
    else
        sp.ok = false;
}

static void split_list(int a, int b)
{
    int outer = sp.nvars;
    for (int i = a; i <= b && sp.ok;) {
        int e = statement_end(i);
        if (e > b || tok[e].kind == END) {
            sp.ok = false;
            return;
        }
        if (!contains(i, e, "__syncthreads")) {
            if (is(i, "case") || is(i, "default") || is(i, "goto") || (ident(i) && is(next(i), ":")))
                sp.ok = false;
            else if (is_declaration(i)) {
                /* a region that is open does not know what is declared in its middle unless it is stored */
                split_declaration(i, e);
            } else if (counting(i) >= 0)
                split_counting(i, e);
            else if (!is(i, ";"))
                region_add(i, e);
        } else if (is(i, "__syncthreads") && is(next(i), "(") && is(next(next(i)), ")") && is(next(next(next(i))), ";")) {
            region_close();
            for (int k = i; k <= e && tok[k].kind != END; k = next(k))
                edit(k, true, k == i && check_mode ? format(" ::cpudev_loop_barrier(); ") : NULL, NULL);
            sp.barriers++;
            if (sp.last_region_had_return)
                sp.ok = false;
        } else if (is(i, "{")) {
            region_close();
            split_body(i);
            region_close();
        } else if (is(i, "for")) {
            region_close();
            int o = next(i), c = match(o), s1 = next(o), n = sp.nvars;
            while (s1 < c && !is(s1, ";"))
                s1 = is(s1, "(") || is(s1, "[") ? next(match(s1)) : next(s1);
            int s2 = next(s1);
            while (s2 < c && !is(s2, ";"))
                s2 = is(s2, "(") || is(s2, "[") ? next(match(s2)) : next(s2);
            /* variables of its own, changed in the header only, with values that are the same for all threads */
            int loop_names[8], nloop = 0;
            if (next(o) != s1 && !is_declaration(next(o)))
                sp.ok = false;
            for (int k = next(o); sp.ok && k < s1; k = next(k)) {
                if (is(k, "&") || is(k, "*") || is(k, "{"))
                    sp.ok = false;
                if (!is(k, "=") || nloop == 8)
                    continue;
                int name = prev(k), last = k, q = next(k);
                for (; q < s1 && !is(q, ","); q = next(q)) {
                    if (is(q, "(") || is(q, "["))
                        q = match(q);
                    last = q;
                }
                if (!ident(name) || name == next(o) || last == k || !plain_expression(next(k), last, false))
                    sp.ok = false;
                else
                    loop_names[nloop++] = name;
                k = last;
            }
            if (nloop == 0 && next(o) != s1)
                sp.ok = false;
            for (int k = 0; sp.ok && k < nloop; k++)
                add_var(loop_names[k], V_UNIFORM, NULL);
            if (sp.ok) {
                if (!plain_expression(next(s1), prev(s2), false))
                    sp.ok = false;
                for (int k = 0; k < nloop; k++)
                    if (changed_in(loop_names[k], next(c), e))
                        sp.ok = false;
                /* the step: v++, ++v, v op= e: its operands must be the same for all threads */
                for (int k = next(s2); sp.ok && k < c; k = next(k)) {
                    Var *v = ident(k) ? var_of(k) : NULL;
                    if (is(k, "threadIdx") || is(k, "[") || is(k, "(") || (v && v->what != V_UNIFORM && v->what != V_COUNTER))
                        sp.ok = false;
                }
                if (contains(next(c), e, "break") || contains(next(c), e, "continue") || contains(next(c), e, "return"))
                    sp.ok = false;
            }
            if (sp.ok)
                split_body(next(c));
            region_close();
            for (int k = n; k < sp.nvars; k++)
                free(sp.vars[k].text);
            sp.nvars = n;
        } else if (is(i, "while")) {
            region_close();
            int o = next(i), c = match(o);
            if (!is(o, "(") || !plain_expression(next(o), prev(c), false) || contains(next(c), e, "break") || contains(next(c), e, "continue") || contains(next(c), e, "return"))
                sp.ok = false;
            if (sp.ok)
                split_body(next(c));
            region_close();
        } else if (is(i, "if")) {
            region_close();
            int o = is(next(i), "constexpr") ? next(next(i)) : next(i), c = match(o);
            if (!is(o, "(") || !plain_expression(next(o), prev(c), false))
                sp.ok = false;
            int then = next(c);
            if (sp.ok)
                split_body(then);
            region_close();
            int other = next(match(then));
            if (sp.ok && is(other, "else"))
                split_body(next(other));
            region_close();
        } else
            sp.ok = false;
        i = next(e);
    }
    region_close();
    for (int k = outer; k < sp.nvars; k++)
        free(sp.vars[k].text);
    sp.nvars = outer;
}

/* A parameter that the kernel changes: each thread has its own. */
static void split_parameter(int i)
{
    const Token *t = &tok[i];
    edit(next(sp.open), false, format(" alignas(64) typename std::remove_cv<decltype(%.*s)>::type %.*s__cpudev[1024]; for (auto &cpudev_own : %.*s__cpudev) cpudev_own = %.*s; ",
                                      t->len, t->s, t->len, t->s, t->len, t->s, t->len, t->s), NULL);
    add_var(i, V_STORED, format("[[maybe_unused]] auto &%.*s = %.*s__cpudev[cpudev_t];", t->len, t->s, t->len, t->s));
    sp.no_bulk = true;
}

/* Begins with the kernel whose body is open..close; parameters: may they be changed? */
static bool split_begin(int params, int params_end, int open, int close, bool parameters)
{
    memset(&sp, 0, sizeof sp);
    sp.ok = true;
    sp.open = open;
    sp.close = close;
    sp.region_first = -1;
    bulk.params = params;
    bulk.params_end = params_end;
    sp.no_bulk = in_plainer_words;
    for (int i = params; i < params_end && sp.ok; i = next(i))
        if (ident(i) && (is(next(i), ",") || is(next(i), ")") || is(next(i), "=") || is(next(i), "[")) && changed_in(i, open, close)) {
            if (!parameters)
                return false;
            split_parameter(i);
        }
    return true;
}

/* Makes the edits, if all is well. */
static bool apply_edits(void)
{
    free(sp.storage);
    for (int k = 0; k < sp.nedits; k++) {
        Edit *x = &sp.edits[k];
        if (!sp.ok) {
            free(x->before);
            free(x->after);
            continue;
        }
        tok[x->at].drop |= x->drop;
        if (x->before)
            append(&tok[x->at].before, x->before);
        if (x->after)
            append(&tok[x->at].after, x->after);
    }
    return sp.ok;
}

/* Tries to split the kernel whose body is open..close; edits the tokens if it can. */
static bool split_kernel(int params, int params_end, int open, int close)
{
    if (!contains(open, close, "__syncthreads") || !pure_body(params, open, close, true, true) || !split_begin(params, params_end, open, close, true))
        return false;
    split_list(next(open), prev(close));
    return apply_edits();
}

/* A kernel without barriers that is checked in bulk becomes one region. */
static bool bulk_kernel(int params, int params_end, int open, int close)
{
    if (next(open) == close || !split_begin(params, params_end, open, close, false))
        return false;
    region_add(next(open), prev(close));
    region_close();
    sp.ok = sp.ok && sp.bulk;
    return apply_edits();
}

/* ---- rewriting ------------------------------------------------------------------------- */

static void drop_range(int a, int b)
{
    for (int i = a; i <= b; i++)
        if (tok[i].kind != MARK)
            tok[i].drop = true;
}

static const char *const specifiers[] = {"__global__", "__device__", "__host__", "__forceinline__", "__noinline__",
    "__constant__", "__managed__", "__grid_constant__", "__shared__", "__nv_pure__", NULL};
static const char *const takes_parens[] = {"__launch_bounds__", "__cluster_dims__", "__block_size__", "__maxnreg__",
    "__attribute__", "__align__", "__builtin_align__", "alignas", "decltype", "noexcept", "explicit", "__declspec",
    "__local_maxnreg__", "requires", NULL};

/* From a __global__ or __device__ at i: the parenthesis of the function's parameters, or -1 for a variable. */
static int find_params(int i, int *name)
{
    for (int j = next(i); tok[j].kind != END; j = next(j)) {
        if (in(takes_parens, j) && is(next(j), "(")) {
            j = match(next(j));
            continue;
        }
        if (is(j, "operator")) {
            *name = j;
            int k = next(j);
            if (is(k, "(") && is(next(k), ")"))
                k = next(next(k));
            while (tok[k].kind != END && !is(k, "("))
                k = next(k);
            return k;
        }
        if (is(j, "<") ) {
            int a = angle_forward(j);
            if (a < 0)
                return -1;
            j = a;
            continue;
        }
        if (is(j, "(")) {
            int p = prev(j);
            if (p <= i || in(specifiers, p)) {      /* a lambda: [] __device__ (int i) {...} */
                *name = -1;
                return j;
            }
            if (is(p, ">")) {
                int a = angle_back(p);
                p = a > 0 ? prev(a) : p;
            }
            *name = p;
            return ident(p) || is(p, "]") ? j : -1;
        }
        if (is(j, ";") || is(j, "=") || is(j, "{") || is(j, "[") || is(j, "}") || is(j, ",") || is(j, ")"))
            return -1;
    }
    return -1;
}

/* After the parameters' `)`: the `{` of the body, or -1 for a declaration. */
static int find_body(int close)
{
    for (int j = next(close); tok[j].kind != END; j = next(j)) {
        if (is(j, ";") || is(j, "=") || is(j, ",") || is(j, ")") || is(j, "}"))
            return -1;
        if (is(j, "("))
            j = match(j);
        else if (is(j, "{"))
            return j;
        else if (is(j, ":")) {                      /* a constructor's initialisers */
            for (j = next(j); tok[j].kind != END; j = next(j)) {
                if (is(j, "(") || (is(j, "{") && (ident(prev(j)) || is(prev(j), ">"))))
                    j = match(j);
                else if (is(j, "{"))
                    return j;
                else if (is(j, ";"))
                    return -1;
            }
        }
    }
    return -1;
}

/* The names of the parameters between the parentheses, as "decltype(a), decltype(b)..." */
static char *param_types(int open, int close)
{
    char *out = format("%s", "");
    int count = 0;
    int start = next(open);
    if (start >= close || (is(start, "void") && next(start) == close))
        return out;
    while (start < close) {
        int j = start, name = -1, stop = -1;
        bool pack = false;
        for (; j < close; j = next(j)) {
            if (is(j, ",") )
                break;
            if (is(j, "=") && stop < 0)
                stop = j;
            if (is(j, "<")) {
                int a = angle_forward(j);
                if (a > 0 && a < close)
                    j = a;
                name = stop < 0 ? -1 : name;
                continue;
            }
            if (is(j, "(")) {
                int e = match(j);
                if (name < 0 && is(next(j), "*") && ident(next(next(j))))
                    name = next(next(j));          /* int (*f)(int) */
                j = e;
                continue;
            }
            if (is(j, "[")) {
                j = match(j);
                continue;
            }
            if (is(j, "."))
                pack = true;
            if (stop >= 0)
                continue;
            if (is(j, "&"))
                error_at(&tok[j], "a kernel cannot take a parameter by reference: it would refer to the host's memory");
            if (ident(j))
                name = j;
            else if (!is(j, "."))
                name = -1;
        }
        int last = stop >= 0 ? prev(stop) : prev(j);
        static const char *const words[] = {"int", "float", "double", "char", "unsigned", "long", "short", "signed", "bool",
            "const", "__restrict__", "__restrict", "restrict", NULL};
        if (name < 0 || in(words, name) || (last == start && name == start) || is(prev(name), "::")) {
            name = -1;
            append(&tok[last].after, format(" cpudev_p%d", count));
        }
        if (name >= 0) {
            append(&out, format("%sdecltype(%.*s)%s", count ? ", " : "", tok[name].len, tok[name].s, pack ? "..." : ""));
        } else {
            append(&out, format("%sdecltype(cpudev_p%d)", count ? ", " : "", count));
        }
        count++;
        start = next(j);
    }
    return out;
}

/* the text of tokens a..b on one line */
static char *text_of(int a, int b)
{
    char *s = format("%s", "");
    for (int i = a; i <= b && tok[i].kind != END; i = next(i))
        append(&s, format("%s%.*s", i > a && (!adjacent(i - 1) || tok[i - 1].kind == MARK) ? " " : "", tok[i].len, tok[i].s)); /* `>=` is two tokens */
    return s;
}

/* How long the name is that the program gave it. */
static int shown(const Token *t)
{
    for (int n = 1; n + 9 < t->len; n++)
        if (!memcmp(t->s + n, "__cpudev_", 9) && isdigit((unsigned char)t->s[n + 9]))
            return n;
    return t->len;
}

/* tells the kernel's descriptor the size of a shared array, and the checker its name */
static char *shared_note(const Token *t, int id, bool in_kernel)
{
    char *s = in_kernel ? format(" (void)::cpudev::shared_note<cpudev_tag, %d, sizeof(%.*s)>::size;", id, t->len, t->s) : format("%s", "");
    if (check_mode)
        append(&s, format(" ::cpudev_check_shared((void *)&%.*s, sizeof(%.*s), \"%.*s\", \"%s\", %d);", t->len, t->s, t->len, t->s,
                          shown(t), t->s, t->file ? t->file : "", t->line));
    return s;
}

/* __shared__ at i: rewritten in place.  in_function: inside a body. */
static void rewrite_shared(int i, bool in_function, bool in_kernel)
{
    int first = i;
    bool is_extern = false;
    /* specifiers may stand on either side: `extern __shared__`, `__shared__ extern`, `static __shared__`, `volatile` */
    for (int p = prev(i); ident(p); p = prev(p)) {
        if (is(p, "extern")) {
            is_extern = true;
            tok[p].drop = true;
        } else if (is(p, "static"))
            tok[p].drop = true;
        first = p;
    }
    int j = next(i), semi = j;
    for (; tok[semi].kind != END && !is(semi, ";"); semi = next(semi)) {
        if (is(semi, "(") || is(semi, "{") || is(semi, "["))
            semi = match(semi);
        else if (is(semi, "extern")) {
            is_extern = true;
            tok[semi].drop = true;
        } else if (is(semi, "static"))
            tok[semi].drop = true;
        else if (is(semi, "}") || is(semi, ")"))
            return;
    }
    (void)first;
    tok[i].drop = true;
    /* declarators: the identifier before the first [ , ; = { at depth 0 */
    int declarators[64], n = 0;
    int name = -1;
    bool body = false;                               /* `__shared__ struct {...} s;` */
    for (int k = j; n < 64; k = next(k)) {
        if (in(takes_parens, k) && is(next(k), "(")) {
            k = match(next(k));
            continue;
        }
        if (is(k, "<") && name >= 0) {
            int a = angle_forward(k);
            if (a > 0) {
                k = a;
                name = -1;
                continue;
            }
        }
        if (is(k, "{") && (!ident(prev(k)) || is(prev(k), "struct") || is(prev(k), "union") ||
                           (ident(prev(k)) && (is(prev(prev(k)), "struct") || is(prev(prev(k)), "union"))))) {
            if (!body) {
                body = true;
                k = match(k);
                name = -1;
                continue;
            }
        }
        if (is(k, "(") && is(next(k), "*")) {
            int q = next(next(k));
            while (is(q, "const") || is(q, "volatile") || is(q, "*"))
                q = next(q);
            name = q;
            k = match(k);
            continue;
        }
        if (is(k, "[") || is(k, ",") || is(k, "=") || is(k, "{") || is(k, "(") || k == semi) {
            if (name >= 0)
                declarators[n++] = name;
            name = -1;
            while (k != semi && !is(k, ",")) {
                if (is(k, "[") || is(k, "{") || is(k, "("))
                    k = match(k);
                k = next(k);
            }
            if (k == semi)
                break;
            continue;
        }
        if (tok[k].kind == END)
            return;
        name = ident(k) ? k : -1;
    }
    if (n == 0) {
        error_at(&tok[i], "this __shared__ declaration is not understood");
        return;
    }
    if (is_extern) {
        if (!in_function) {
            /* file scope: an object that converts to a pointer to the block's dynamic shared memory */
            append(&tok[j].before, format("typedef "));
            for (int d = 0; d < n; d++) {
                Token *t = &tok[declarators[d]];
                append(&t->after, format("__cpudev"));
                append(&tok[semi].after, format(" static const ::cpudev::dynamic_array<%.*s__cpudev> %.*s;", t->len, t->s, t->len, t->s));
            }
            return;
        }
        /* float s[];  ->  float (&s)[] = cpudev_dynamic(...) */
        for (int d = 0; d < n; d++) {
            int id = declarators[d], k = next(id);
            int e = k;
            while (is(e, "["))
                e = next(match(e));
            if (is(k, "[")) {
                append(&tok[id].before, format("(&"));
                append(&tok[id].after, format(")"));
            } else
                append(&tok[id].before, format("&"));
            append(&tok[prev(e)].after, format(" = ::cpudev::dynamic_shared<decltype(%.*s)>()", tok[id].len, tok[id].s));
        }
        return;
    }
    if (check_mode && in_function) {
        while (is(j, "alignas") && is(next(j), "(")) {        /* the guarded storage is aligned anyhow */
            drop_range(j, match(next(j)));
            j = next(match(next(j)));
        }
        /* a typedef of the declaration's type, storage between red zones, and a reference by the declared name */
        append(&tok[j].before, format("typedef "));
        for (int d = 0; d < n; d++) {
            Token *t = &tok[declarators[d]];
            append(&t->after, format("__cpudev_t"));
            append(&tok[semi].after, format(" static __thread ::cpudev::guarded<%.*s__cpudev_t> %.*s__cpudev; %.*s__cpudev_t &%.*s = %.*s__cpudev.value;",
                                            t->len, t->s, t->len, t->s, t->len, t->s, t->len, t->s, t->len, t->s));
        }
    } else if (check_mode) {
        /* file scope: the checker learns where in a thread's storage they lie */
        append(&tok[j].before, format("static __thread char cpudev_before_%d[256] __attribute__((used)); static __thread ", i));
        for (int d = 0; d < n; d++) {
            const Token *t = &tok[declarators[d]];
            append(&tok[semi].after, format(" static ::cpudev::global_note cpudev_shared_%d((void *)&%.*s, sizeof(%.*s), \"%.*s\", \"__shared__\", \"%s\", %d);", declarators[d],
                                            t->len, t->s, t->len, t->s, t->len, t->s, t->file ? t->file : "", t->line));
        }
    } else {
        /* alignas() must come first */
        int at = j;
        while (is(at, "alignas") && is(next(at), "("))
            at = next(match(next(at)));
        append(&tok[at].before, format("static __thread "));
    }
    if (in_function) {
        char *note = format("%s", "");
        for (int d = 0; d < n; d++)
            append(&note, shared_note(&tok[declarators[d]], declarators[d], in_kernel));
        append(&tok[semi].after, note);
    }
}

/* ---- local arrays, for the checker ------------------------------------------------------- */

/* the `{` of the block that i stands in, or -1 if that is a class, an initialiser, or a switch (whose cases
 * may not jump over a constructor) */
static int block_of(int i)
{
    int depth = 0;
    for (int j = i - 1; j >= 0; j--) {
        if (is(j, "}") || is(j, ")") || is(j, "]"))
            depth++;
        else if (is(j, "(") || is(j, "["))
            depth--;
        else if (is(j, "{") && depth-- == 0) {
            int p = prev(j);
            if (is(p, ")"))
                return is(prev(match_back(p)), "switch") ? -1 : j;
            return is(p, "{") || is(p, "}") || is(p, ";") || is(p, ":") || is(p, "else") || is(p, "do") || is(p, "const") || is(p, "noexcept") || is(p, "mutable") ? j : -1;
        }
    }
    return -1;
}

/* Is the array used by its address between a and b, other than by as many subscripts as it has dimensions? */
static bool decays(int name, int dims, int a, int b)
{
    for (int i = a; i < b; i = next(i)) {
        if (!ident(i) || tok[i].len != tok[name].len || memcmp(tok[i].s, tok[name].s, (size_t)tok[name].len))
            continue;
        int p = prev(i), e = next(i), n = 0;
        if (is(p, ".") || is(p, "->") || is(p, "::") || is(p, "sizeof") || (is(p, "(") && is(prev(p), "sizeof")))
            continue;
        for (; is(e, "["); e = next(match(e)))
            n++;
        if (n < dims || (is(p, "&") && !operand_end(prev(p))))
            return true;
    }
    return false;
}

/* At the start of a statement: of a declaration `T a[N], b = 1;` each array whose address is used becomes storage
 * between two guards, of which the checker knows, and a reference by the declared name.  -fsanitize=bounds sees to
 * the other arrays. */
static void guard_locals(int i)
{
    static const char *const others[] = {"static", "extern", "const", "constexpr", "typedef", "using", "return", "auto", "delete", "new", "throw",
        "goto", "case", "else", "if", "for", "while", "do", "switch", "thread_local", "__shared__", "alignas", "__align__", "friend", "template",
        "register", "public", "private", "protected", "default", "break", "continue", "asm", "__asm__", "class", "enum", NULL};
    struct { int name, dims, init, end; } d[16];
    int j = i, first = i, n = 0;
    bool arrays = false;
    if (in(others, i))
        return;
    for (; ident(j) || is(j, "::"); j = next(j)) { /* the type: all words but the last */
        int after = next(j);
        if (is(after, "<")) {
            int a = angle_forward(after);
            if (a < 0)
                return;
            j = a;
        } else if (!ident(after) && !is(after, "::"))
            break;
    }
    if (j == i && !is(j, "*"))
        return;
    if (is(j, ">") || is(next(j), "*"))
        j = next(j);
    first = j;
    if (is(prev(first), "::"))
        return;
    for (;; j = next(j)) {
        while (is(j, "*"))
            j = next(j);
        if (!ident(j) || n == 16)
            return;
        d[n].name = j;
        d[n].dims = 0;
        d[n].init = -1;
        for (j = next(j); is(j, "["); j = next(match(j)), d[n].dims++)
            if (is(next(j), "]"))
                return; /* int a[] = {...} */
        arrays |= d[n].dims > 0;
        if (is(j, "=") || is(j, "{")) {
            d[n].init = j;
            int brace = is(j, "=") ? next(j) : j;
            if (d[n].dims && !is(brace, "{"))
                return;
            for (; !is(j, ",") && !is(j, ";"); j = next(j)) {
                if (tok[j].kind == END || is(j, "}"))
                    return;
                if (is(j, "(") || is(j, "[") || is(j, "{"))
                    j = match(j);
            }
            if (d[n].dims && j != next(match(brace)))
                return;
        }
        d[n++].end = prev(j);
        if (is(j, ";"))
            break;
        if (!is(j, ","))
            return;
    }
    for (int k = 0; k < n; k++)
        if (tok[i].drop || tok[d[k].name].drop || tok[d[k].name].after) /* split_kernel has made it something else */
            return;
    int open = arrays ? block_of(i) : -1;
    if (open < 0 || contains(open, match(open), "goto")) /* which may not jump over a constructor either */
        return;
    bool any = false;
    for (int k = 0; k < n; k++) {
        if (d[k].dims && !decays(d[k].name, d[k].dims, j, match(open)))
            d[k].dims = 0;
        any |= d[k].dims > 0;
    }
    if (!any)
        return;
    char *type = text_of(i, prev(first));
    for (int k = 0; k < n; k++) {
        if (k) { /* a statement of its own */
            int comma = next(d[k - 1].end);
            tok[comma].drop = true;
            append(&tok[comma].before, format("; %s%s ", d[k].dims ? "typedef " : "", type));
        } else if (d[k].dims)
            append(&tok[i].before, format("typedef "));
        if (!d[k].dims)
            continue;
        Token *t = &tok[d[k].name];
        append(&t->after, format("__cpudev_t"));
        char *storage = format("; ::cpudev::guarded_local<%.*s__cpudev_t> %.*s__cpudev", t->len, t->s, t->len, t->s);
        if (d[k].init >= 0) {
            int brace = is(d[k].init, "=") ? next(d[k].init) : d[k].init;
            append(&tok[d[k].init].before, storage);
            append(&tok[brace].before, format("{{}, "));
            append(&tok[match(brace)].after, format(", {}}"));
        } else
            append(&tok[d[k].end].after, storage);
        append(&tok[d[k].end].after, format("; ::cpudev::local_guard %.*s__cpudev_g(%.*s__cpudev, \"%.*s\"); %.*s__cpudev_t &%.*s = %.*s__cpudev.value",
                                            t->len, t->s, t->len, t->s, shown(t), t->s, t->len, t->s, t->len, t->s, t->len, t->s));
    }
    free(type);
}

/* the start of the postfix expression that ends at i (the kernel before <<<) */
static int expression_start(int i)
{
    while (i > 0) {
        if (is(i, ">")) {
            int a = angle_back(i);
            if (a < 0)
                return i;
            i = prev(a);
        }
        if (is(i, ")") || is(i, "]")) {
            int o = match_back(i);
            if (o < 0)
                return i;
            int p = prev(o);
            if (is(i, "]") || (ident(p) && !is(p, "return") && !is(p, "else"))) {
                i = p;
                continue;
            }
            i = o;
        }
        int p = prev(i);
        if (is(p, "::")) {
            int q = prev(p);
            if (ident(q) && !is(q, "return") && !is(q, "else")) {
                i = q;
                continue;
            }
            if (is(q, ">")) {
                i = q;
                continue;
            }
            return p;
        }
        if (is(p, ".") || is(p, "->")) {
            i = prev(p);
            continue;
        }
        if (is(p, "template")) {
            i = p;
            continue;
        }
        return i;
    }
    return 0;
}

/* The first > of the >>> that ends the configuration begun at i, also as `>> >` if it may be spaced. */
static int launch_end(int i, bool spaced)
{
    for (int j = i + 3, depth = 0; tok[j].kind != END && depth >= 0; j++) {
        if (tok[j].kind != PUNCT)
            continue;
        if (is(j, "(") || is(j, "[") || is(j, "{"))
            depth++;
        else if (is(j, ")") || is(j, "]") || is(j, "}"))
            depth--;
        if (depth == 0 && is(j, ">") && is(j + 1, ">") && is(j + 2, ">") && (spaced || (adjacent(j) && adjacent(j + 1))) && is(next(j + 2), "("))
            return j;
    }
    return -1;
}

static int rewrite_launch(int i)
{
    int j = launch_end(i, false);
    if (!is(j, ">"))
        j = launch_end(i, true);
    if (!is(j, ">")) {
        error_at(&tok[i], "<<< without its >>>");
        return i + 2;
    }
    int args = next(j + 2), end = match(args), start = expression_start(prev(i));
    if (prev(i) < 0 || start < 0) {
        error_at(&tok[i], "<<< without a kernel before it");
        return i + 2;
    }
    /* the configuration moves in front of the kernel, together with its line breaks */
    char *config = format("%s", "");
    for (int k = i + 3; k < j; k++) {
        if (tok[k].kind == MARK)
            continue;
        append(&config, format("%s%.*s", tok[k].lead == tok[k].s ? "" : " ", tok[k].len, tok[k].s));
        tok[k].drop = true;
    }
    append(&tok[start].before, format("(::cpudev_push_launch(%s), ", config));
    free(config);
    drop_range(i, i + 2);
    drop_range(j, j + 2);
    append(&tok[end].after, format(")"));
    return j + 2;
}

/* `asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));` and its like become a call; other PTX is an error */
static void rewrite_asm(int i)
{
    int p = prev(i);
    if (is(p, "(") || ident(p) || is(p, ")") || is(p, "]")) {
        if (!ident(p) || (!is(p, "else") && !is(p, "do")))
            return;                                  /* an __asm__("name") label of a declaration */
    }
    int open = next(i);
    while (is(open, "volatile") || is(open, "__volatile__") || is(open, "__volatile"))
        open = next(open);
    if (!is(open, "("))
        return;
    int close = match(open), s = next(open);
    if (tok[s].kind == STR && is(next(s), ")") && tok[s].len == 2)
        return;                                      /* asm(""): a compiler barrier */
    if (tok[s].kind == STR && tok[s].len == 2 && is(next(s), ":"))
        return;
    static const struct { const char *ptx, *call; } known[] = {
        {"%laneid;", "::cpudev_lane()"}, {"%warpid;", "(::cpudev_tid() / 32)"}, {"%smid;", "::cpudev_smid()"},
        {"%nsmid;", "::cpudev_nsmid()"}, {"%globaltimer;", "::cpudev_globaltimer()"}, {"%clock;", "(unsigned)::cpudev_clock()"},
        {"%clock64;", "::cpudev_clock()"}, {"%lanemask_lt;", "((1u << ::cpudev_lane()) - 1)"},
        {"%lanemask_le;", "((2u << ::cpudev_lane()) - 1)"}, {"%lanemask_eq;", "(1u << ::cpudev_lane())"},
        {"%lanemask_gt;", "(~((2u << ::cpudev_lane()) - 1))"}, {"%lanemask_ge;", "(~((1u << ::cpudev_lane()) - 1))"},
    };
    int c = next(s);
    if (tok[s].kind == STR && tok[s].len > 4 && !memcmp(tok[s].s, "\"mov", 4) && (is(c, ":") || is(c, "::")) &&
        tok[next(c)].kind == STR && is(next(next(c)), "(")) {
        int value = next(next(c));
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            char *text = format("%.*s", tok[s].len, tok[s].s);
            const char *hit = strstr(text, known[k].ptx);
            free(text);
            if (!hit)
                continue;
            int vend = match(value);
            drop_range(i, next(c));
            append(&tok[vend].after, format(" = %s", known[k].call));
            for (int d = next(vend); d <= close && tok[d].kind != END; d = next(d))
                tok[d].drop = true;
            return;
        }
    }
    error_at(&tok[i], "inline PTX assembly is not supported by the CPU device: asm(%.*s ...)%s", tok[s].len, tok[s].s,
             "; keep a C++ version under #ifdef __CUCC__");
}

typedef struct {
    int open, close;
    bool kernel, host, constant;        /* constant: constexpr */
} Body;
static Body *bodies;
static int nbodies, bodies_cap;

static void add_body(int open, int close, bool kernel, bool host, bool constant)
{
    if (nbodies == bodies_cap) {
        bodies_cap = bodies_cap ? bodies_cap * 2 : 256;
        bodies = must(realloc(bodies, (size_t)bodies_cap * sizeof *bodies));
    }
    bodies[nbodies++] = (Body){open, close, kernel, host, constant};
}

static bool in_attribute(int i)
{
    int p = prev(i);
    return is(p, "(") || is(p, ",");
}

/* ---- a kernel in plainer words ----------------------------------------------------------------
 *
 * A barrier can be said in other words than __syncthreads(), and in a function that the kernel calls.  Before a kernel
 * is left to the fibers it is tried in plainer words, in which split_kernel() may know what to do:
 *   cg::sync(block), block.sync()        __syncthreads(), and what a block is asked for is told, where `block` is
 *                                        declared to be this_thread_block()
 *   f(a, b);  x = f(a, b);               { T p = a; U q = b; body of f }, if f has a barrier in it
 *   do { ... } while (0);                { ... }
 * If it cannot be split all the same, it stays as it was.
 *
 * A body is put in place of a call only where that is plainly the same: one function of that name, no template, in the
 * kernel's own scope; arguments by value; no return but at its end; no name in it that means something else in the kernel.
 * Its own names get a number each time, and line markers go with it. */

typedef struct {
    Token *t;
    int n, room;
} Words;

static void words_add(Words *w, Token t)
{
    if (w->n == w->room)
        w->t = must(realloc(w->t, (size_t)(w->room = w->room ? w->room * 2 : 64) * sizeof *w->t));
    w->t[w->n++] = t;
}

/* Text that no one looks at, like white space and line markers. */
static void words_text(Words *w, const char *text, int len)
{
    if (len > 0)
        words_add(w, (Token){.s = text, .lead = text, .len = len, .kind = MARK});
}

static void words_mark(Words *w, const Token *t)
{
    char *text = format("\n# %d \"%s\"\n", t->line, t->file ? t->file : "<input>");
    words_text(w, text, (int)strlen(text));
}

/* Words of our own, said at t. */
static void words_say(Words *w, const Token *t, char *text)
{
    Token *kept = tok;
    int n = ntok, room = cap;
    tok = NULL;
    ntok = cap = 0;
    tokenize(text, text + strlen(text));
    for (int i = 0; i < ntok - 1; i++) {
        tok[i].line = t->line;
        tok[i].file = t->file;
        words_add(w, tok[i]);
    }
    free(tok);
    tok = kept;
    ntok = n;
    cap = room;
}

/* The tokens a..b-1 as they are; the first without the white space before it. */
static void words_copy(Words *w, int a, int b)
{
    for (int i = a; i < b; i++) {
        words_add(w, tok[i]);
        if (i == a)
            w->t[w->n - 1].lead = tok[i].s;
    }
}

/* Puts w in the place of the tokens a..b-1 of the kernel that is being put in plainer words, the last one in tok. */
static void replace_words(int a, int b, Words *w)
{
    Words all = {NULL, 0, 0};
    words_text(&all, tok[a].lead, (int)(tok[a].s - tok[a].lead));
    for (int i = 0; i < w->n; i++)
        words_add(&all, w->t[i]);
    Token after = tok[b];
    if (after.kind != MARK && after.kind != END) {
        words_mark(&all, &after);
        tok[b].lead = tok[b].s;
    }
    int moved = ntok - b;
    Token *rest = must(malloc((size_t)moved * sizeof *rest));
    memcpy(rest, tok + b, (size_t)moved * sizeof *rest);
    ntok = a;
    for (int i = 0; i < all.n; i++)
        push(all.t[i]);
    for (int i = 0; i < moved; i++)
        push(rest[i]);
    free(rest);
    free(all.t);
    free(w->t);
    *w = (Words){NULL, 0, 0};
}

/* The program's own __device__ functions, in the order of the text. */
typedef struct {
    int start, name, open, body;        /* body: -1 for a declaration */
    bool waits, template, inlined;      /* inlined: into this kernel */
} Function;
static Function *functions;
static int nfunctions, functions_cap;

static bool same_text(const Token *t, int i) { return ident(i) && t->len == tok[i].len && !memcmp(t->s, tok[i].s, (size_t)t->len); }
static bool same_word(int i, int k) { return tok[i].len == tok[k].len && !memcmp(tok[i].s, tok[k].s, (size_t)tok[i].len); }

/* The function that the call at i is of, if there is no doubt. */
static Function *function_at(int i)
{
    Function *found = NULL;
    if (!ident(i) || !is(next(i), "(") || is(prev(i), ".") || is(prev(i), "->") || is(prev(i), "::"))
        return NULL;
    for (int k = 0; k < nfunctions; k++) {
        Function *f = &functions[k];
        if (!same_word(f->name, i))
            continue;
        if (f->body < 0) {      /* declared before, in the same words */
            for (int d = k + 1; d < nfunctions; d++)
                if (same_word(functions[d].name, i)) {
                    int a = f->open, b = functions[d].open;
                    while (a != match(f->open) && same_word(a, b)) {
                        a = next(a);
                        b = next(b);
                    }
                    if (a != match(f->open) || b != match(functions[d].open))
                        return NULL;
                }
            continue;
        }
        if (found)
            return NULL;
        found = f;
    }
    return found;
}

static void note_function(int at, int name, int open, int body)
{
    int start = at;
    for (int p = prev(at); p >= 0 && !is(p, ";") && !is(p, "{") && !is(p, "}"); p = prev(p))
        start = p;
    if (nfunctions == functions_cap)
        functions = must(realloc(functions, (size_t)(functions_cap = functions_cap ? functions_cap * 2 : 64) * sizeof *functions));
    bool waits = false;
    for (int i = body, end = body < 0 ? -1 : match(body); i < end; i = next(i)) {
        const Function *f = ident(i) ? function_at(i) : NULL;
        waits |= (f && f->waits) || is(i, "__syncthreads") || (is(i, "sync") && is(next(i), "("));
    }
    functions[nfunctions++] = (Function){start, name, open, body, waits, contains(start, at, "template") || contains(at, open, "template"), false};
}

/* Is the name at i declared there, or might it be? */
static bool declares(int i)
{
    int p = prev(i), n = next(i);
    if (!(is(n, "=") || is(n, ";") || is(n, ",") || is(n, "[") || is(n, "(") || is(n, "{") || is(n, ")") || is(n, ":") || is(n, ">")))
        return false;
    if (is(n, "=") && adjacent(n) && is(n + 1, "="))
        return false;
    if (ident(p))
        return !is(p, "return") && !is(p, "else") && !is(p, "case") && !is(p, "sizeof") && !is(p, "do");
    if (is(p, "*") || is(p, "&") || is(p, "&&")) {
        while (is(p, "*") || is(p, "&") || is(p, "&&"))
            p = prev(p);
        if (!ident(p) && !is(p, ">"))
            return false;
        if (is(p, ">"))
            return true;
        for (p = prev(p); is(p, "::"); p = prev(prev(p)))
            ;
        return ident(p) || is(p, ";") || is(p, "{") || is(p, "}") || is(p, "(") || is(p, ",") || is(p, ":") || is(p, ")") || is(p, "<");
    }
    if (is(p, ">"))
        return angle_back(p) >= 0;
    if (is(p, ",")) {
        int o = enclosing(i);
        return o < 0 || !is(o, "(") || is(prev(o), "for");
    }
    return is(p, "[") && (is(prev(p), "auto") || is(prev(p), "&"));
}

/* Is the name at i declared between a and b? */
static bool declared_in(int i, int a, int b)
{
    for (int k = a; k < b; k = next(k))
        if (ident(k) && same_word(k, i) && declares(k))
            return true;
    return false;
}

enum { MANY = 64 };
typedef struct {
    int from[MANY];             /* where a name is seen first */
    const char *to[MANY];
    int n;
} Renaming;

static int renamed(const Renaming *r, int i)
{
    if (is(prev(i), ".") || is(prev(i), "->") || is(prev(i), "::"))
        return -1;
    for (int k = 0; k < r->n; k++)
        if (same_word(r->from[k], i))
            return k;
    return -1;
}

static bool rename_to(Renaming *r, int i, const char *to)
{
    for (int k = 0; k < r->n; k++)
        if (same_word(r->from[k], i))
            return true;
    if (r->n == MANY)
        return false;
    r->from[r->n] = i;
    r->to[r->n++] = to;
    return true;
}

/* The names that the declaration at i declares. */
static bool rename_declared(Renaming *r, int i, int number)
{
    bool first = true;
    for (int k = i; tok[k].kind != END && !is(k, ";") && !is(k, "}") && !is(k, ")"); k = next(k)) {
        if (is(k, "<")) {
            int a = angle_forward(k);
            if (a > 0 && first)
                k = a;
        } else if (is(k, "(") || is(k, "[") || is(k, "{"))
            k = match(k);
        else if (is(k, ","))
            first = true;
        else if (first && ident(k) && !is(prev(k), "::") && k != i && (is(next(k), "=") || is(next(k), ";") || is(next(k), ",") ||
                 is(next(k), "[") || is(next(k), "(") || is(next(k), "{") || is(next(k), ":"))) {
            if (!rename_to(r, k, format("%.*s__cpudev_%d", tok[k].len, tok[k].s, number)))
                return false;
            first = false;
        }
    }
    return true;
}

/* Puts the body of f in place of its call at c in the kernel whose body opens at `body`.  False if that might not be the
 * same. */
static bool inline_call(int params, int body, int c, Function *f, int number)
{
    static const char *const never[] = {"goto", "struct", "class", "union", "enum", "typedef", "using", "template", "namespace", "try", "catch", "asm",
        "__asm__", "__asm", "operator", "this", "thread_local", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "decltype", NULL};
    static const char *const plain_words[] = {"if", "else", "for", "while", "do", "switch", "case", "break", "continue", "return", "sizeof", "true", "false",
        "void", "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", NULL};
    static const char *const not_type[] = {"inline", "__inline__", "__inline", "static", "constexpr", NULL};
    int ce = match(next(c)), fend = match(f->body), fclose = match(f->open);
    bool value = true;
    if (f->template || f->start >= params || enclosing(f->start) != enclosing(params))
        return false;
    /* where the statement begins that the call stands in, and what it is */
    int s = c;
    for (int p = prev(c); p > body; p = prev(p)) {
        if (is(p, ")")) {
            int o = match_back(p), q = prev(o);
            if (is(q, "if") || is(q, "for") || is(q, "while") || (is(q, "constexpr") && is(prev(q), "if")))
                break;
            return false;
        }
        if (is(p, ";") || is(p, "{") || is(p, "}") || is(p, "else"))
            break;
        if (is(p, "]"))
            p = match_back(p);
        else if (is(p, "(") || is(p, ",") || is(p, ":") || is(p, "?") || is(p, "do") || is(p, "return") || is(p, "[") || is(p, "&&"))
            return false;
        s = p;
    }
    if (!is(enclosing(s), "{"))
        return false;
    int e = statement_end(s);
    if (!is(e, ";") || e < ce || (s == c && next(ce) != e))
        return false;
    bool declaration = s != c && is_declaration(s);
    if (s != c) {
        int p = prev(c);
        if (!is(p, "=") || (adjacent(p - 1) && tok[p - 1].kind == PUNCT && !strchr("+-*/%&|^", *tok[p - 1].s) && !is(p - 1, "]")))
            return false;
        for (int k = s; k < p; k = next(k))
            if (is(k, "=") || is(k, "<"))
                return false;
        for (int k = next(ce); declaration && k < e; k = is(k, "(") || is(k, "[") ? next(match(k)) : next(k))
            if (is(k, ","))     /* another variable */
                return false;
        if (declaration && !is(prev(s), ";") && !is(prev(s), "{") && !is(prev(s), "}"))
            return false;
    }
    /* what it gives back */
    char *type = format("%s", "");
    for (int k = f->start; k < f->name; k = next(k)) {
        if (in(specifiers, k) || in(not_type, k))
            continue;
        if (is(k, "void") && !is(next(k), "*"))
            value = false;
        if (is(k, "auto") || is(k, "extern") || !(ident(k) || is(k, "*") || is(k, "::") || is(k, "<") || is(k, ">")) || is(k, "__attribute__"))
            return false;
        append(&type, format("%s%.*s", *type ? " " : "", tok[k].len, tok[k].s));
    }
    if (s != c && !value)
        return false;
    /* its body: nothing unusual, and no way out but its end */
    int last = next(f->body), nreturn = 0;
    for (int k = last; k < fend; k = next(statement_end(k)))
        last = k;
    for (int k = next(f->body); k < fend; k++) {
        if (tok[k].kind == MARK) {
            if (*tok[k].s != '#')       /* of merge() */
                return false;
            continue;
        }
        if (in(never, k) || tok[k].before || tok[k].after || (is(k, "static") && !is(next(k), "__shared__") && !is(prev(k), "__shared__")))
            return false;
        if (is(k, "__shared__") && !is(prev(k), "extern") && !is(next(k), "extern") && f->inlined) /* there is one of it, not one a call */
            return false;
        nreturn += is(k, "return");
    }
    if (nreturn != (value || is(last, "return")) || (nreturn && !is(last, "return")) || (!value && nreturn && !is(next(last), ";")))
        return false;
    /* its parameters and variables */
    Renaming r = {.n = 0};
    Words w = {NULL, 0, 0};
    char *result = format("cpudev_result_%d", number);
    if (value)
        words_say(&w, &tok[s], format("%s%s %s; ", declaration ? "" : "{ ", type, result));
    words_say(&w, &tok[s], format("{ "));
    int a = next(next(c)), p = next(f->open);
    bool ok = true;
    while (ok && (p < fclose || a < ce)) {
        int name = -1, q = p, aq = a, alast = a, stop = -1;
        char *ptype = format("%s", ""), *given;
        bool array = false, reference = false, group = false;
        if (is(p, "void") && next(p) == fclose && a == ce)
            break;
        for (; q < fclose && !is(q, ","); q = next(q)) {
            if (is(q, "=") && stop < 0)
                stop = q;
            if (is(q, "<") && angle_forward(q) > 0)
                q = angle_forward(q);
            if (is(q, "("))
                ok = false;
            if (is(q, "["))
                q = match(q);
            else if (stop < 0 && ident(q))
                name = q;
        }
        for (; aq < ce && !is(aq, ","); aq = next(aq)) {
            alast = aq;
            if (is(aq, "(") || is(aq, "[") || is(aq, "{"))
                aq = alast = match(aq);
        }
        ok = ok && name > p && !is(prev(name), "::") && a < ce && aq > a;
        for (int k = p; ok && k < (stop >= 0 ? stop : q); k = next(k)) {
            group |= is(k, "thread_block") || is(k, "thread_group");
            reference |= is(k, "&");
            ok = !is(k, ".") && !is(k, "&&") && !(is(k, "[") && array) && !(k > name && ident(k));
            if (is(k, "[")) {
                array = true;
                k = match(k);
            } else if (k != name && !is(k, "&"))
                append(&ptype, format("%s%.*s", *ptype ? " " : "", tok[k].len, tok[k].s));
        }
        if (!ok)
            break;
        if (group)
            reference = false;
        if (reference) {        /* another name for the kernel's own variable */
            ok = a == alast && ident(a) && !contains(p, name, "const");
            for (int k = f->open; ok && k < fend; k = next(k))
                ok = !(ident(k) && same_word(k, a)) || is(prev(k), ".") || is(prev(k), "->");
            ok = ok && rename_to(&r, name, format("%.*s", tok[a].len, tok[a].s));
        } else {
            given = text_of(a, alast);
            const char *own = format("%.*s__cpudev_%d", tok[name].len, tok[name].s, number);
            words_mark(&w, &tok[a]);
            words_say(&w, &tok[a], format("%s%s %s = %s;", ptype, array ? " *" : "", own, given));
            ok = rename_to(&r, name, own);
            free(given);
        }
        free(ptype);
        p = q < fclose ? next(q) : q;
        a = aq < ce ? next(aq) : aq;
    }
    for (int k = next(f->body); ok && k < fend; k = next(k)) {
        int before = prev(k);
        if ((is(before, ";") || is(before, "{") || is(before, "}") || is(before, ")") || is(before, ":") || (is(before, "(") && (is(prev(before), "for") || is(prev(before), "if")))) &&
            !in(plain_words, k) && is_declaration(k))
            ok = rename_declared(&r, k, number);
    }
    /* what it means by other names, the kernel must mean, too */
    int kend = ntok - 2, start = params;
    while (start > 0 && !is(prev(start), ";") && !is(prev(start), "{") && !is(prev(start), "}"))
        start = prev(start);
    for (int k = f->start; ok && k < fend; k = next(k)) {
        if (!ident(k) || k == f->name || renamed(&r, k) >= 0 || is(prev(k), ".") || is(prev(k), "->") || in(type_words, k) || in(plain_words, k))
            continue;
        ok = !declared_in(k, start, kend);
        if (is(next(k), "(")) { /* nor may there be more functions of that name by now */
            int count = 0;
            for (int n = 0; n < nfunctions; n++)
                count += same_word(functions[n].name, k);
            ok = ok && count <= 1;
        }
    }
    /* the body */
    if (ok)
        words_mark(&w, &tok[next(f->body)]);
    for (int k = next(f->body); ok && k < fend; k++) {
        Token t = tok[k];
        int to = ident(k) ? renamed(&r, k) : -1;
        if (k == next(f->body))
            t.lead = t.s;
        if (k == last && is(k, "return")) {
            words_text(&w, t.lead, (int)(t.s - t.lead));
            if (!value)
                break;
            words_say(&w, &t, format("%s =", result));
            continue;
        }
        if (to >= 0) {
            char *text = format("%.*s%s", (int)(t.s - t.lead), t.lead, r.to[to]);
            t.s = text + (t.s - t.lead);
            t.lead = text;
            t.len = (int)strlen(t.s);
        }
        words_add(&w, t);
    }
    if (!ok) {
        free(w.t);
        return false;
    }
    words_say(&w, &tok[e], format(" }"));
    if (s != c) {
        words_mark(&w, &tok[s]);
        if (is(s, "auto") && declaration && next(ce) == e) {
            words_say(&w, &tok[s], format("%s ", type));
            words_copy(&w, next(s), c);
        } else
            words_copy(&w, s, c);
        words_say(&w, &tok[c], format(" %s ", result));
        words_mark(&w, &tok[next(ce)]);
        words_copy(&w, next(ce), e + 1);
    }
    if (value && !declaration)
        words_say(&w, &tok[e], format(" }"));
    free(type);
    replace_words(s, e + 1, &w);
    f->inlined = true;
    return true;
}

/* Does the program name cooperative_groups at i, before the word at `word`, or is it using them all?  The first of the
 * tokens that name the word, or -1. */
static int group_word(int word)
{
    int p = prev(word), q = prev(p);
    if (is(p, ".") || is(p, "->"))
        return -1;
    for (int i = 0; i < word; i++) {
        if (tok[i].kind != ID || tok[i].sys || !is(i, "cooperative_groups"))
            continue;
        if (is(p, "::") ? same_word(q, i) || (is(prev(i), "=") && is(next(i), ";") && same_word(q, prev(prev(i))) && is(prev(prev(prev(i))), "namespace"))
                        : is(prev(i), "namespace") ? is(prev(prev(i)), "using") : is(prev(i), "using") && is(next(i), "::") && same_word(next(next(i)), word))
            return is(p, "::") ? (is(prev(q), "::") ? prev(q) : q) : word;
    }
    return -1;
}

/* this_thread_block() at i, with what names it: its last token, or -1 */
static int this_block(int i)
{
    while (ident(i) && is(next(i), "::"))
        i = next(next(i));
    return is(i, "this_thread_block") && is(next(i), "(") && is(next(next(i)), ")") && group_word(i) >= 0 && (is(prev(i), "::") || !find_name(i)) ? next(next(i)) : -1;
}

/* Groups in plainer words in the kernel whose body opens at `body`.  False if there is one that is not known. */
static bool plain_groups(int body)
{
    struct { Token name; bool wide; } groups[16];
    static const struct { const char *name, *what; } answers[] = {
        {"sync", "__syncthreads()"},
        {"thread_rank", "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"},
        {"size", "(blockDim.x * blockDim.y * blockDim.z)"}, {"num_threads", "(blockDim.x * blockDim.y * blockDim.z)"},
        {"group_index", "dim3(blockIdx.x, blockIdx.y, blockIdx.z)"}, {"thread_index", "dim3(threadIdx.x, threadIdx.y, threadIdx.z)"},
        {"group_dim", "dim3(blockDim.x, blockDim.y, blockDim.z)"}, {"dim_threads", "dim3(blockDim.x, blockDim.y, blockDim.z)"},
    };
    int ngroups = 0;
    for (int i = next(body); i < ntok - 2; i = next(i)) {
        if (!ident(i))
            continue;
        if (is(i, "thread_block") || is(i, "thread_group") || is(i, "auto")) {
            int s = i, name = next(i), known = -1, end;
            if (!is(i, "auto")) {
                s = group_word(i);
                if (s < 0)
                    return false;
            }
            if (is(name, "&"))
                name = next(name);
            if (is(prev(s), "const"))
                s = prev(s);
            int value = next(next(name));
            for (int k = 0; k < ngroups; k++)
                if (same_text(&groups[k].name, value) && is(next(value), ";"))
                    known = k;
            end = known >= 0 ? value : this_block(value);
            if (!ident(name) || !is(next(name), "=") || end < 0 || !is(next(end), ";")) {
                if (is(i, "auto"))
                    continue;
                return false;
            }
            if (ngroups == 16)
                return false;
            groups[ngroups].wide = is(i, "thread_group") || (is(i, "auto") && known >= 0 && groups[known].wide);
            groups[ngroups++].name = tok[name];
            Words none = {NULL, 0, 0};
            replace_words(s, next(end) + 1, &none);
            i = s - 1;
            continue;
        }
        int first = i, last = -1;
        bool wide = false;
        for (int k = 0; k < ngroups; k++)
            if (same_text(&groups[k].name, i) && !is(prev(i), ".") && !is(prev(i), "->") && !is(prev(i), "::")) {
                last = i;
                wide = groups[k].wide;
            }
        if (last < 0 && is(i, "this_thread_block")) {
            first = group_word(i);
            last = this_block(i);
            if (first < 0 || last < 0)
                return false;
        }
        if (is(i, "sync") && last < 0 && !is(prev(i), ".")) {          /* cg::sync(block) */
            int arg = next(next(i)), block = this_block(arg);
            first = group_word(i);
            for (int k = 0; k < ngroups && block < 0; k++)
                if (same_text(&groups[k].name, arg))
                    block = arg;
            if (first < 0 || block < 0 || !is(next(i), "(") || !is(next(block), ")") || (first == i && find_name(i)))
                return false;
            Words w = {NULL, 0, 0};
            words_say(&w, &tok[first], format("__syncthreads()"));
            replace_words(first, next(block) + 1, &w);
            continue;
        }
        if (last < 0)
            continue;
        int word = next(next(last));
        const char *what = NULL;
        for (size_t k = 0; k < sizeof answers / sizeof *answers; k++)
            if (is(next(last), ".") && is(word, answers[k].name) && is(next(word), "(") && is(next(next(word)), ")"))
                what = answers[k].what;
        if (!what || (wide && strchr("gd", *tok[word].s)) || (wide && is(word, "thread_index")))
            return false;
        Words w = {NULL, 0, 0};
        words_say(&w, &tok[first], format("%s%s", wide && !is(word, "sync") ? "(unsigned long long)" : "", what));
        replace_words(first, next(next(word)) + 1, &w);
        i = first;
    }
    return true;
}

/* `do { ... } while (0);`, which macros are made of */
static void plain_blocks(int body)
{
    for (int i = next(body); i < ntok - 2; i = next(i)) {
        int o = next(i), c = is(i, "do") && is(o, "{") ? match(o) : -1, w = next(c), v = next(next(w));
        if (c < 0 || !is(w, "while") || !is(next(w), "(") || !(is(v, "0") || is(v, "false")) || !is(next(v), ")") || !is(next(next(v)), ";") ||
            contains(o, c, "break") || contains(o, c, "continue"))
            continue;
        Words all = {NULL, 0, 0};
        words_copy(&all, o, c + 1);
        replace_words(i, next(next(v)) + 1, &all);
    }
}

/* What a kernel was before it was put in plainer words. */
typedef struct {
    int body, n, nrest;
    Token *words, *rest;
} Before;

static void forget(Before *was)
{
    free(was->words);
    free(was->rest);
}

static void take_back(Before *was)
{
    ntok = was->body;
    for (int i = 0; i < was->n; i++)
        push(was->words[i]);
    for (int i = 0; i < was->nrest; i++)
        push(was->rest[i]);
    forget(was);
}

/* The kernel's body in plainer words: false if there are none. */
static bool plainer(int params, int body, int end, Before *was)
{
    bool wanted = false;
    for (int i = body; i < end && !wanted; i = next(i)) {
        const Function *f = ident(i) ? function_at(i) : NULL;
        wanted = is(i, "this_thread_block") || (f && f->waits) || (is(i, "do") && contains(body, end, "__syncthreads"));
    }
    if (!wanted)
        return false;
    *was = (Before){body, end - body, ntok - end, NULL, NULL};
    was->words = must(malloc((size_t)was->n * sizeof *was->words));
    was->rest = must(malloc((size_t)was->nrest * sizeof *was->rest));
    memcpy(was->words, tok + body, (size_t)was->n * sizeof *was->words);
    memcpy(was->rest, tok + end, (size_t)was->nrest * sizeof *was->rest);
    Token stop = tok[ntok - 1];
    ntok = end + 1;
    push(stop);
    for (int i = 0; i < nfunctions; i++)
        functions[i].inlined = false;
    bool ok = true;
    int number = 0;
    for (int i = next(body); ok && i < ntok - 2; i = next(i)) {
        Function *f = ident(i) ? function_at(i) : NULL;
        if (!f || !f->waits)
            continue;
        ok = number < 32 && ntok - body < 100000 && inline_call(params, body, i, f, ++number);
        i = body;
    }
    ok = ok && plain_groups(body);
    if (ok)
        plain_blocks(body);
    ntok -= 2;
    if (ok)
        for (int i = 0; i < was->nrest; i++)
            push(was->rest[i]);
    else
        take_back(was);
    return ok;
}

/* The checker learns the parameters' names, types and values: "decltype(a), decltype(b)" becomes a call. */
static char *told_arguments(const char *types)
{
    char *names = format("%s", types), *to = names;
    if (!check_mode || !*types)
        return format("%s", "");
    for (const char *p = types; *p; p++)
        if (!strncmp(p, "decltype(", 9))
            p += 8;
        else if (*p != ')')
            *to++ = *p;
    *to = 0;
    char *call = format(" ::cpudev::arguments(\"%s\", %s);", names, names);
    free(names);
    return call;
}

static void rewrite_kernel(int at, int name, int open, int bounds)
{
    int close = match(open), body = find_body(close);
    if (name < 0 || body < 0)
        return;
    int end = match(body);
    bool simple = pure_body(open, body, end, true, false), split = !simple && !no_split && split_kernel(open, close, body, end);
    Before was;
    if (!simple && !split && !no_split && plainer(open, body, end, &was)) {
        end = match(body);
        in_plainer_words = true;
        simple = pure_body(open, body, end, true, false);
        split = !simple && split_kernel(open, close, body, end);
        in_plainer_words = false;
        if (simple || split)
            forget(&was);
        else
            take_back(&was);
        end = match(body);
    } else if (simple && check_mode && !no_split && !contains(open, end, "volatile") && bulk_kernel(open, close, body, end)) {
        simple = false;
        split = true;
    }
    char *types = param_types(open, close), *told = told_arguments(types);
    char *b = bounds >= 0 ? text_of(next(next(bounds)), prev(match(next(bounds)))) : format("0");
    append(&tok[body].after,
           format(" struct cpudev_tag {}; if (int cpudev_mode = ::cpudev_enter(&::cpudev::kernel_of<cpudev_tag>::k, \"%.*s\", "
                  "__PRETTY_FUNCTION__, \"%s\", %d, ::cpudev::bounds(%s))) { if (cpudev_mode == 2) ::cpudev::unpack<%s>(); return; }%s "
                  "auto cpudev_body = [=](%s[[maybe_unused]] const uint3 blockIdx, "
                  "[[maybe_unused]] const dim3 blockDim, [[maybe_unused]] const dim3 gridDim) %s{ %s%s%s",
                  tok[name].len, tok[name].s, tok[name].file ? tok[name].file : "", tok[name].line, b, types, told,
                  split ? "" : "[[maybe_unused]] const uint3 threadIdx, ", !(simple || split) ? "mutable " : clang ? "__attribute__((always_inline)) mutable " : "mutable __attribute__((always_inline)) ",
                  check_mode && split ? "[[maybe_unused]] constexpr bool cpudev_trivial = ::cpudev::trivial<" : "", check_mode && split ? types : "", check_mode && split ? ">(); " : ""));
    append(&tok[end].before, format(" }; ::cpudev::submit_%s<cpudev_tag>(cpudev_body); ", simple ? "simple" : split ? "split" : "general"));
    free(types);
    free(told);
    free(b);
    add_body(body, end, true, false, false);
    (void)at;
}

static void declared_variable(int i)
{
    /* __device__ / __constant__ / __managed__ variable: the checker learns its name and size */
    int j = next(i);
    for (int p = prev(i); ident(p) || is(p, ")"); p = prev(p))
        if (is(p, "extern") || is(p, "template"))
            return;
    int name = -1;
    for (; tok[j].kind != END; j = next(j)) {
        if (in(takes_parens, j) && is(next(j), "(")) {
            j = match(next(j));
            continue;
        }
        if (is(j, "extern"))
            return;
        if (is(j, "<")) {
            int a = angle_forward(j);
            if (a < 0)
                return;
            j = a;
            continue;
        }
        if (is(j, "[") || is(j, "=") || is(j, ";") || is(j, "{") || is(j, ",") || is(j, "("))
            break;
        name = ident(j) ? j : -1;
    }
    if (name < 0)
        return;
    int semi = j, names[16], n = 0;
    names[n++] = name;
    while (tok[semi].kind != END && !is(semi, ";")) {
        if (is(semi, "(") || is(semi, "{") || is(semi, "["))
            semi = match(semi);
        else if (is(semi, ",") && n < 16) {         /* int a, *b, c[4]; */
            int k = next(semi);
            while (is(k, "*") || is(k, "const") || is(k, "volatile"))
                k = next(k);
            if (ident(k))
                names[n++] = k;
        }
        semi = next(semi);
    }
    for (int d = 0; d < n; d++, name = names[d < n ? d : 0])
    append(&tok[semi].after, format(" static ::cpudev::global_note cpudev_global_%d((void *)&%.*s, sizeof(%.*s), \"%.*s\", \"%.*s\", \"%s\", %d);", name,
                                    tok[name].len, tok[name].s, tok[name].len, tok[name].s, tok[name].len, tok[name].s, tok[i].len,
                                    tok[i].s, tok[i].file ? tok[i].file : "", tok[i].line));
}

static void rewrite(void)
{
    int bounds = -1, depth = 0, bounds_depth = 0, last_function = -1;
    nfunctions = 0;
    /* first pass: specifiers, function bodies, launch bounds */
    for (int i = 0; i < ntok; i++) {
        if (tok[i].kind == MARK && !tok[i].sys) {
            static const char *const dropped[] = {"unroll", "nounroll", "nv_", "hd_warning", "diag_", "push_macro_never", NULL};
            const char *p = tok[i].s + 1;
            while (*p == ' ')
                p++;
            if (!strncmp(p, "pragma ", 7)) {
                p += 7;
                while (*p == ' ')
                    p++;
                for (int k = 0; dropped[k]; k++)
                    if (!strncmp(p, dropped[k], strlen(dropped[k])))
                        tok[i].drop = true;
            }
            continue;
        }
        if (tok[i].kind == PUNCT) {
            char c = *tok[i].s;
            if (c == '{')
                depth++;
            else if (c == '}')
                depth--;
            if ((c == ';' || c == '}') && depth <= bounds_depth)
                bounds = -1;
            continue;
        }
        if (tok[i].kind != ID || tok[i].sys || tok[i].len < 8 || tok[i].s[0] != '_' || tok[i].s[1] != '_')
            continue;
        if (is(i, "__launch_bounds__") || is(i, "__cluster_dims__") || is(i, "__maxnreg__") || is(i, "__block_size__")) {
            if (!is(next(i), "("))
                continue;
            if (is(i, "__launch_bounds__")) {
                bounds = i;
                bounds_depth = depth;
            }
            drop_range(i, match(next(i)));
        } else if (is(i, "__global__") || is(i, "__device__")) {
            bool kernel = is(i, "__global__");
            int name = -1, open = find_params(i, &name);
            if (in_attribute(i) && is(prev(i), "(") && is(prev(prev(i)), "__attribute__"))
                continue;
            tok[i].drop = true;
            if (open >= 0 && open == last_function)
                continue;
            if (open < 0) {
                if (!kernel)
                    note_changing(i);
                if (!kernel && check_mode && depth >= 0)
                    declared_variable(i);
                continue;
            }
            last_function = open;
            if (kernel) {
                int b = bounds;
                for (int k = i; k < open; k++)
                    if (is(k, "__launch_bounds__"))
                        b = k;
                rewrite_kernel(i, name, open, b);
            } else {
                int body = find_body(match(open));
                if (name >= 0 && ident(name))
                    note_function(i, name, open, body);
                bool host = false, constant = false;
                for (int p = prev(i), n = 0; p >= 0 && n < 8 && !is(p, ";") && !is(p, "}") && !is(p, "{"); p = prev(p), n++) {
                    host |= is(p, "__host__");
                    constant |= is(p, "constexpr");
                }
                for (int p = i; p < open; p++) {
                    host |= is(p, "__host__");
                    constant |= is(p, "constexpr");
                }
                if (body >= 0) {
                    int end = match(body);
                    if (name >= 0 && ident(name))
                        set_name(name, pure_initialisers(match(open), body) && pure_body(open, body, end, false, false), has_atomics(body, end));
                    add_body(body, end, false, host, constant);
                }
            }
        } else if (is(i, "__constant__") || is(i, "__managed__")) {
            if (is(i, "__managed__"))
                note_changing(i);
            tok[i].drop = true;
            bool twice = false;
            for (int p = prev(i); ident(p); p = prev(p))
                twice |= is(p, "__device__");
            if (check_mode && !twice)
                declared_variable(i);
        } else if (is(i, "__shared__")) {
            bool inside = false;
            for (int k = nbodies - 1; k >= 0 && k >= nbodies - 4; k--)
                inside |= i > bodies[k].open && i < bodies[k].close;
            if (!inside)
                note_changing(i);
        } else if (is(i, "__host__") || is(i, "__grid_constant__") || is(i, "__nv_pure__")) {
            tok[i].drop = true;
        } else if (is(i, "__forceinline__")) {
            tok[i].drop = true;
            append(&tok[i].before, format(" __inline__ __attribute__((always_inline)) "));
        } else if (is(i, "__noinline__") && !in_attribute(i)) {
            tok[i].drop = true;
            append(&tok[i].before, format(" __attribute__((noinline)) "));
        }
    }
    /* second pass: what stands in bodies */
    int b = 0, *stack = must(malloc(((size_t)nbodies + 1) * sizeof *stack)), sp = 0;
    /* bodies are sorted by their opening brace, for they were found in that order, except lambdas inside kernels */
    for (int i = 1; i < nbodies; i++)
        for (int k = i; k > 0 && bodies[k].open < bodies[k - 1].open; k--) {
            Body t = bodies[k];
            bodies[k] = bodies[k - 1];
            bodies[k - 1] = t;
        }
    for (int i = 0; i < ntok; i++) {
        while (sp && i > bodies[stack[sp - 1]].close)
            sp--;
        while (b < nbodies && bodies[b].open <= i) {
            if (bodies[b].open == i)
                stack[sp++] = b;
            b++;
        }
        if (tok[i].sys)
            continue;
        bool device = sp > 0, host = sp > 0 && bodies[stack[sp - 1]].host, kernel = sp > 0 && bodies[stack[0]].kernel;
        /* nvcc takes `<< <` and `>> >` too, which formatters make of launches; C++ has it in `operator<< <T>` only */
        if (tok[i].kind == PUNCT && is(i, "<") && is(i + 1, "<") && is(i + 2, "<") && adjacent(i) && !is(prev(i), "operator")) {
            i = rewrite_launch(i);
            continue;
        }
        if (tok[i].kind != ID)
            continue;
        if (check_mode && device && !bodies[stack[sp - 1]].constant && (is(prev(i), ";") || is(prev(i), "{") || is(prev(i), "}")))
            guard_locals(i);
        if (is(i, "__shared__")) {
            rewrite_shared(i, device, kernel && sp == 1);
        } else if (device && !host && is(i, "cudaDeviceSynchronize") && is(next(i), "(")) {
            error_at(&tok[i], "cudaDeviceSynchronize() in a kernel: CUDA 12 has dropped it; what must come after the kernels "
                              "launched here goes to cudaStreamTailLaunch, or into the host's next launch");
        } else if (device && !host && (is(i, "asm") || is(i, "__asm__") || is(i, "__asm"))) {
            rewrite_asm(i);
        } else if (device && (is(i, "while") || is(i, "for"))) {
            int where;
            if (empty_loop(i, &where)) {
                if (is(where, ";")) {
                    tok[where].drop = true;
                    append(&tok[where].before, format(" ::cpudev_poll();"));
                } else
                    append(&tok[where].after, format(" ::cpudev_poll(); "));
            }
        }
    }
    free(stack);
}

/* ---- one source for host and device ----------------------------------------------------------
 *
 * __CUDA_ARCH__ is defined when nvcc compiles for the device and not when it compiles for the host, so #ifdef can give
 * a __host__ __device__ function two bodies.  Where a program asks for it, cucc hands over what the preprocessor made
 * of it either way.  The device's text is the one that is compiled, but where the two differ
 *   in a __host__ __device__ function     it gets both bodies and asks where it runs
 *   in any other function of the host     the host's text stands
 *   outside functions                     the host's text stands where the device has none, unless it is device code */

typedef struct {
    int d0, d1, h0, h1;        /* tokens of the device's text and of the host's that stand in its place */
    enum { KEEP, REPLACE } what;
} Difference;
typedef struct {
    int open, close;           /* braces of a __host__ __device__ function's body */
} Both;

/* The end of the run of tokens that begins at i and stands on one line. */
static int line_end(const Token *t, int i)
{
    int e = i + 1;
    while (t[e].kind != MARK && t[e].kind != END && t[e].file == t[i].file && t[e].line == t[i].line)
        e++;
    return e;
}

static int skip_marks(const Token *t, int i)
{
    while (t[i].kind == MARK)
        i++;
    return i;
}

static bool same_token(const Token *a, const Token *b)
{
    return a->kind == b->kind && a->line == b->line && a->file == b->file && a->len == b->len && !memcmp(a->s, b->s, (size_t)a->len);
}

/* The same line of the same file, whatever either makes of it? */
static bool same_line(const Token *a, const Token *b)
{
    return a->kind == END || b->kind == END ? a->kind == b->kind : a->line == b->line && a->file == b->file;
}

static int next_line(const Token *t, int i) { return t[i].kind == END ? i : skip_marks(t, line_end(t, i)); }

/* Where the two differ; pair[i] becomes the host's token that is the device's token i. */
static Difference *differences(const Token *d, const Token *h, int *pair, int *count)
{
    enum { FAR = 3000 };       /* lines that are looked through for one that both have */
    Difference *list = NULL;
    int n = 0, room = 0, i = skip_marks(d, 0), j = skip_marks(h, 0);
    while (d[i].kind != END || h[j].kind != END) {
        Difference x = {i, i, j, j, KEEP};
        if (same_line(&d[i], &h[j])) {
            x.d1 = line_end(d, i);
            x.h1 = line_end(h, j);
            i = next_line(d, i);
            j = next_line(h, j);
        } else {
            /* the nearest line that both have: ds[a] and hs[b], a + b as small as may be */
            static int ds[FAR + 1], hs[FAR + 1];
            int a = 0, b = 0;
            bool found = false;
            ds[0] = i;
            hs[0] = j;
            for (int sum = 1; sum <= FAR && !found; sum++) {
                ds[sum] = next_line(d, ds[sum - 1]);
                hs[sum] = next_line(h, hs[sum - 1]);
                for (a = -1; a < sum && !found;) {
                    b = sum - ++a;
                    found = same_line(&d[ds[a]], &h[hs[b]]);
                }
            }
            if (!found)
                break;         /* the rest is taken as it is for the device */
            if (a)
                x.d1 = line_end(d, ds[a - 1]);
            if (b)
                x.h1 = line_end(h, hs[b - 1]);
            i = ds[a];
            j = hs[b];
            if (!a)
                x.d0 = x.d1 = i;
        }
        while (x.d0 < x.d1 && x.h0 < x.h1 && same_token(&d[x.d0], &h[x.h0]))
            pair[x.d0++] = x.h0++;
        while (x.d0 < x.d1 && x.h0 < x.h1 && same_token(&d[x.d1 - 1], &h[x.h1 - 1]))
            pair[--x.d1] = --x.h1;
        if (x.d0 == x.d1 && x.h0 == x.h1)
            continue;
        if (n == room)
            list = must(realloc(list, (size_t)(room = room ? room * 2 : 16) * sizeof *list));
        list[n++] = x;
    }
    *count = n;
    return list;
}

/* What the brace at i opens: 'n' a namespace, class or the like, 'h' a function of the host, 'd' of the device, 'b' of
 * both, ' ' anything else. */
static char brace_kind(int i)
{
    bool global = false, device = false, host = false, scope = false, parameters = false, constant = false;
    for (int p = prev(i); p >= 0 && !is(p, ";") && !is(p, "{") && !is(p, "}"); p = prev(p)) {
        if (is(p, ")") || is(p, "]")) {
            bool round = is(p, ")");
            p = match_back(p);
            if (p < 0)
                break;
            parameters |= round && !in(takes_parens, prev(p));
            continue;
        }
        if (is(p, "(") || (is(p, "=") && p == prev(i)))
            break;
        global |= is(p, "__global__");
        device |= is(p, "__device__");
        host |= is(p, "__host__");
        constant |= is(p, "constexpr");
        scope |= is(p, "namespace") || is(p, "class") || is(p, "struct") || is(p, "union") || is(p, "enum") || (is(p, "extern") && !parameters);
    }
    if (global || (device && (!host || constant)))     /* a constant expression cannot ask where it runs */
        return 'd';
    if (device)
        return 'b';
    return parameters ? 'h' : scope ? 'n' : ' ';
}

/* Text that the rewriting does not look at: it takes it for a marker. */
static void merge_text(char *text)
{
    push((Token){.s = text, .lead = text, .len = (int)strlen(text), .kind = MARK});
}

/* A line marker: what follows stands on t's line. */
static void merge_mark(const Token *t)
{
    merge_text(t->file ? format("\n# %d \"%s\"\n", t->line, t->file) : format("\n"));
}

static void merge_host(const Token *h, int from, int to)
{
    merge_mark(&h[from]);
    for (int k = from; k < to; k++) {
        Token t = h[k];
        if (k == from)
            t.lead = t.s;
        push(t);
    }
}

/* tok becomes the device's text, which it is, with the host's h where that is to stand. */
static void merge(const Token *h)
{
    Token *d = tok;
    int n = ntok, count;
    int *pair = must(malloc((size_t)n * sizeof *pair)), *stack = must(malloc((size_t)n * sizeof *stack)), depth = 0;
    char *kinds = must(malloc((size_t)n));             /* of the braces on the stack */
    Both *both = must(malloc((size_t)n * sizeof *both));
    int nboth = 0;
    for (int i = 0; i < n; i++)
        pair[i] = -1;
    Difference *list = differences(d, h, pair, &count);
    for (int i = 0, next_one = 0; i < n && next_one < count; i++) {
        while (next_one < count && list[next_one].d0 == i) {
            Difference *x = &list[next_one++];
            if (d[i].sys || (x->h0 < x->h1 && h[x->h0].sys))
                continue;
            char kind = depth ? kinds[depth - 1] : 'n';
            if (kind == 'h')
                x->what = REPLACE;
            else if (kind == 'b') {
                int outer = depth - 1;
                while (outer > 0 && kinds[outer - 1] == 'b')
                    outer--;
                int open = stack[outer], close = match(open);
                if ((!nboth || both[nboth - 1].open != open) && pair[open] >= 0 && pair[close] > pair[open])
                    both[nboth++] = (Both){open, close};
            } else if (kind == 'n' && x->d0 == x->d1) {
                x->what = REPLACE;
                for (int k = x->h0; k < x->h1; k++)
                    if (h[k].kind == ID && h[k].len == 10 && (!memcmp(h[k].s, "__device__", 10) || !memcmp(h[k].s, "__global__", 10)))
                        x->what = KEEP;
            }
        }
        if (is(i, "{")) {
            char kind = brace_kind(i), outer = depth ? kinds[depth - 1] : 'n';
            kinds[depth] = kind == ' ' || (kind == 'h' && outer != 'n') || (kind == 'n' && outer != 'n') ? outer : kind;
            stack[depth++] = i;
        } else if (is(i, "}") && depth)
            depth--;
    }
    bool changed = nboth > 0;
    for (int k = 0; k < count; k++)
        changed |= list[k].what == REPLACE;
    tok = NULL;
    ntok = cap = 0;
    bool moved = false;        /* what was pushed last stands elsewhere: the next token needs a marker */
    for (int i = 0, next_one = 0, next_both = 0; changed && i < n;) {
        if (next_both < nboth && i == both[next_both].close) {
            merge_text(format("\n} else {"));
            merge_host(h, pair[both[next_both].open] + 1, pair[i]);
            merge_text(format("\n}"));
            moved = true;
            next_both++;
        }
        while (next_one < count && list[next_one].d0 <= i) {
            const Difference *x = &list[next_one++];
            if (x->what != REPLACE || x->d0 != i)
                continue;
            if (x->h0 < x->h1) {
                merge_host(h, x->h0, x->h1);
                moved = true;
            }
            moved |= x->d1 > i;
            i = x->d1;
        }
        if (i >= n)
            break;
        Token t = d[i];
        if (moved) {
            merge_mark(&t);
            t.lead = t.s;
            moved = false;
        }
        push(t);
        if (next_both < nboth && i == both[next_both].open)
            merge_text(format(" if (::cpudev_tls.worker) {"));
        i++;
    }
    if (!changed) {
        tok = d;
        ntok = cap = n;
    } else
        free(d);
    free(list);
    free(pair);
    free(stack);
    free(kinds);
    free(both);
}

static void emit(const char *from, size_t n)
{
    if (n && fwrite(from, 1, n, stdout) != n) {
        perror("cucc: write");
        exit(1);
    }
}

static char *read_all(FILE *f, size_t *n)
{
    size_t room = 1 << 20;
    char *text = must(malloc(room + 1));
    *n = 0;
    for (size_t got; (got = fread(text + *n, 1, room - *n, f)) > 0;) {
        *n += got;
        if (*n == room)
            text = must(realloc(text, (room *= 2) + 1));
    }
    text[*n] = 0;
    return text;
}

/* The tokens of another text than the one that is compiled. */
static Token *tokens_of(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(1);
    }
    size_t n;
    const char *text = read_all(f, &n);
    fclose(f);
    tokenize(text, text + n);
    Token *t = tok;
    tok = NULL;
    ntok = cap = 0;
    return t;
}

int main(int argc, char **argv)
{
    Token *host = NULL;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--check"))
            check_mode = true;
        else if (!strcmp(argv[i], "--host") && i + 1 < argc)
            host = tokens_of(argv[++i]);
        else if (!strcmp(argv[i], "--clang"))
            clang = true;
        else if (!strcmp(argv[i], "--no-split"))
            no_split = true;
    size_t n;
    const char *text = read_all(stdin, &n);
    tokenize(text, text + n);
    if (host)
        merge(host);
    rewrite();
    if (errors)
        return 1;
    for (int i = 0; i < ntok; i++) {
        emit(tok[i].lead, (size_t)(tok[i].s - tok[i].lead));
        if (tok[i].before)
            emit(tok[i].before, strlen(tok[i].before));
        if (!tok[i].drop)
            emit(tok[i].s, (size_t)tok[i].len);
        else if (tok[i].kind == ID && !tok[i].before)
            emit(" ", 0);
        if (tok[i].after)
            emit(tok[i].after, strlen(tok[i].after));
    }
    return fflush(stdout) != 0;
}
