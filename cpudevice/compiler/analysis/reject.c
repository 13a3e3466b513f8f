/* reject.c: what nvcc refuses and g++ would take, in nvcc's words.
 *
 * Contract: reports errors; changes nothing. A program is refused only where there is no doubt: the name is that of
 * functions at namespace scope alone, all of them of the wrong side, and nothing else that is visible there declares it:
 * neither at namespace scope nor in the function that the name is used in. */
#include "front/unit.h"

#include <stdlib.h>

/* A function of the host with a body, at namespace scope, that is no template. */
typedef struct {
    int name, open, close, body, end;
} Host;

typedef struct {
    Unit *u;
    const Tokens *t;
    Host *host;
    int nhost, cap;
} Reject;

/* ---- the host's functions ---- */

static void host_function(Reject *r, int open, int body)
{
    static const Word other[] = {W_TEMPLATE, W_CONSTEXPR,  W_OPERATOR, W_DEVICE, W_GLOBAL,
                                 W_ASSIGN,   W_SQUARE_END, W_CLASS,    W_STRUCT, W_NONE};
    const Tokens *t = r->t;
    int name = prev(t, open);
    if (!ident(t, name) || is(t, prev(t, name), W_SCOPE) || is(t, prev(t, name), W_TILDE) ||
        !at_namespace_scope(t, open))
        return;
    int p = prev(t, name);
    if (p < 0 || (!ident(t, p) && !is(t, p, W_STAR) && !is(t, p, W_AND) && !is(t, p, W_GREATER)))
        return;
    for (; p >= 0 && !is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) && !is(t, p, W_BRACE_END); p = prev(t, p))
        if (in(t, other, p))
            return;
    if (r->nhost == r->cap)
        r->host = must(realloc(r->host, (size_t)(r->cap = r->cap ? r->cap * 2 : 64) * sizeof *r->host));
    r->host[r->nhost++] = (Host){name, open, mate(t, open), body, mate(t, body)};
}

static void host_functions(Reject *r)
{
    const Tokens *t = r->t;
    for (int i = 0; i < t->n; i++) {
        int p;
        if (t->t[i].sys || t->t[i].kind != T_PUNCT || !is(t, i, W_BRACE) || t->t[i].header)
            continue; /* cucc's headers do not mark their functions, which are for both sides */
        for (p = prev(t, i); is(t, p, W_NOEXCEPT) || is(t, p, W_CONST); p = prev(t, p))
            ;
        if (is(t, p, W_PAREN_END) && mate_back(t, p) > 0) {
            host_function(r, mate_back(t, p), i);
            i = mate(t, i); /* what is in it is local */
        }
    }
}

/* ---- names without doubt ---- */

/* Might the name at i be declared there, as something that `known` does not say? */
static bool declares_other(const Reject *r, int i)
{
    static const Word before[] = {W_RETURN, W_ELSE,     W_DO,      W_CASE,     W_CO_RETURN,
                                  W_THROW,  W_AND_WORD, W_OR_WORD, W_NOT_WORD, W_NONE};
    const Tokens *t = r->t;
    int p = prev(t, i), n = next(t, i);
    if (is(t, p, W_DOT) || is(t, p, W_ARROW))
        return false;
    if (is(t, p, W_SCOPE)) { /* another scope's, unless it is brought here */
        while (p >= 0 && !is(t, p, W_SEMICOLON) && !is(t, p, W_BRACE) && !is(t, p, W_BRACE_END) && !is(t, p, W_USING))
            p = prev(t, p);
        return is(t, p, W_USING);
    }
    if (!(ident(t, p) && !in(t, before, p)) && !is(t, p, W_STAR) && !is(t, p, W_AND) && !is(t, p, W_AND_AND) &&
        !is(t, p, W_GREATER))
        return false;
    for (int k = 0; k < r->u->nfunction; k++)
        if (r->u->function[k].name == i && !r->u->function[k].member)
            return false;
    for (int k = 0; k < r->nhost; k++)
        if (r->host[k].name == i)
            return false;
    return !(is(t, n, W_PAREN) && is(t, next(t, mate(t, n)), W_SEMICOLON) &&
             at_namespace_scope(t, i)); /* a declaration of the same */
}

/* Can the name, in the function open..end, be nothing but the functions of that name that are known? */
static bool without_doubt(const Reject *r, int name, int open, int end)
{
    const Tokens *t = r->t;
    for (int i = 0; i < t->n; i++)
        if (t->t[i].kind == T_ID && !t->t[i].sys && same(t, i, name) &&
            ((open < i && i < end) || at_namespace_scope(t, i)) && declares_other(r, i))
            return false;
    return true;
}

/* Is the function that is declared at `declared` visible from i by its bare name for certain, that is, is every named
 * namespace that it is in one that i is in? */
static bool visible(const Tokens *t, int declared, int i)
{
    for (int b = enclosing(t, declared); b >= 0; b = enclosing(t, b))
        if (is(t, b, W_BRACE) && ident(t, prev(t, b)) && !is(t, prev(t, b), W_NAMESPACE) && !(b < i && i < mate(t, b)))
            return false;
    return true;
}

/* Does a header of the C or C++ library declare a function of the name at i? */
static bool library_declares(const Tokens *t, int i)
{
    for (int k = 0; k < t->n; k++)
        if (t->t[k].sys && t->t[k].kind == T_ID && same(t, k, i) && is(t, next(t, k), W_PAREN) &&
            (ident(t, prev(t, k)) || is(t, prev(t, k), W_STAR) || is(t, prev(t, k), W_AND) ||
             is(t, prev(t, k), W_GREATER)))
            return true;
    return false;
}

/* Is every function of the name at i visible there, and marked __device__ alone (kernel false), or __global__? */
static bool only_device(const Reject *r, int i, bool kernel)
{
    bool found = false;
    for (int k = 0; k < r->u->nfunction; k++) {
        const Function *f = &r->u->function[k];
        if (f->name < 0 || !same(r->t, f->name, i))
            continue;
        if (f->kernel != kernel || f->host || f->member || f->is_constexpr || r->t->t[f->name].ours ||
            !visible(r->t, f->name, i))
            return false;
        found = true;
    }
    for (int k = 0; k < r->nhost; k++)
        if (same(r->t, r->host[k].name, i))
            return false;
    return found && !library_declares(r->t, i);
}

static const Host *host_named(const Reject *r, int i)
{
    const Host *found = NULL;
    for (int k = 0; k < r->u->nfunction; k++)
        if (r->u->function[k].name >= 0 && same(r->t, r->u->function[k].name, i))
            return NULL;
    for (int k = 0; k < r->nhost; k++)
        if (same(r->t, r->host[k].name, i)) {
            if (found || !visible(r->t, r->host[k].name, i))
                return NULL;
            found = &r->host[k];
        }
    return found;
}

/* A call of the name at i, by where it stands: nothing in front of it makes it a declaration or another's member. */
static bool call_at(const Tokens *t, int i)
{
    static const Word before[] = {W_SEMICOLON, W_BRACE, W_BRACE_END, W_PAREN, W_COMMA,      W_ASSIGN,
                                  W_PAREN_END, W_PLUS,  W_MINUS,     W_SLASH, W_ADD_ASSIGN, W_SUB_ASSIGN,
                                  W_RETURN,    W_ELSE,  W_NOT,       W_NONE};
    static const Word unevaluated[] = {W_DECLTYPE, W_SIZEOF, W_NOEXCEPT, W_TYPEID, W_ALIGNOF, W_NONE};
    if (!ident(t, i) || !is(t, next(t, i), W_PAREN) || !in(t, before, prev(t, i)))
        return false;
    for (int o = enclosing(t, i); o >= 0; o = enclosing(t, o))
        if (is(t, o, W_PAREN) && in(t, unevaluated, prev(t, o)))
            return false;
    return true;
}

/* ---- messages ---- */

/* name(types) as nvcc shows a function */
static char *signature(const Tokens *t, int name, int open, int close)
{
    char *out = format("%.*s(", t->t[name].len, t->t[name].s);
    for (int i = next(t, open); i < close;) {
        int e = i, last = -1;
        for (; e < close && !is(t, e, W_COMMA); e = next(t, e)) {
            if (is(t, e, W_ASSIGN))
                break;
            last = e;
        }
        int end = last;
        if (last > i && ident(t, last) && !is_keyword_type(t, last))
            end = prev(t, last);
        char *type = text_of(t, i, end);
        append(&out,
               format("%s%s", i > next(t, open) ? ", " : "", is(t, i, W_VOID) && next(t, i) >= close ? "" : type));
        free(type);
        while (e < close && !is(t, e, W_COMMA))
            e = next(t, e);
        i = e < close ? next(t, e) : close;
    }
    append(&out, format(")"));
    return out;
}

/* ---- the rules ---- */

static int back(const Tokens *t, int i, int n)
{
    while (n-- > 0)
        i = prev(t, i);
    return i;
}

static void check_kernel(Reject *r, const Function *f)
{
    const Tokens *t = r->t;
    bool friend_of = contains(t, f->start, f->open, W_FRIEND);
    if (f->name < 0)
        return;
    if (f->member && !friend_of)
        error_at(r->u, &t->t[f->name], "A __global__ function or function template cannot be a member function");
    bool words = true, is_void = false;
    int from = f->template_last >= 0 ? next(t, next(t, f->template_last)) : f->start;
    for (int i = from; i < f->name; i = next(t, i)) {
        if (in(t, takes_parens, i) && is(t, next(t, i), W_PAREN)) {
            i = mate(t, next(t, i));
            continue;
        }
        is_void |= is(t, i, W_VOID) && !is(t, next(t, i), W_STAR);
        words &= is_keyword_type(t, i) || is_qualifier(t, i) || in(t, specifiers, i) || is(t, i, W_STAR) ||
                 is(t, i, W_INLINE) || is(t, i, W_INLINE__);
    }
    if (is(t, prev(t, f->close), W_DOT) && (is(t, back(t, f->close, 4), W_COMMA) || back(t, f->close, 4) == f->open))
        error_at(r->u, &t->t[f->name], "a __global__ function cannot have ellipsis");
    if (words && !is_void)
        error_at(r->u, &t->t[f->name], "a __global__ function must have a void return type");
}

/* `return 1;` in a kernel */
static void check_returns(Reject *r, const Function *f, const Node *n)
{
    if (!n || is_expression(n))
        return;
    if (n->kind == S_RETURN && n->n > 0) {
        const Node *value = strip(n->kid[0]);
        if (value->kind == E_LITERAL || value->kind == E_BINARY || value->kind == E_NAME || value->kind == E_INDEX ||
            value->kind == E_MEMBER)
            error_at(r->u, &r->t->t[n->first], "return value type does not match the function type");
    }
    for (int i = 0; i < n->n; i++)
        check_returns(r, f, n->kid[i]);
}

/* What no code on the device may have: exceptions, and __shared__ memory with a value from the start. */
static void check_device(Reject *r, const Function *f)
{
    const Tokens *t = r->t;
    for (int i = f->body; i < f->end; i = next(t, i))
        if (t->t[i].kind == T_ID && (is(t, i, W_THROW) || is(t, i, W_TRY)))
            error_at(r->u, &t->t[i], "device code does not support exception handling");
    for (int k = 0; f->tree && k < f->ndecl; k++)
        if (f->decl[k]->is_shared && !f->decl[k]->is_extern && f->decl[k]->init_form == '=')
            error_at(r->u, &t->t[f->decl[k]->at], "initializer not allowed for __shared__ variable");
}

/* What f calls by the name at `name`: a kernel, h, or C's library. */
static void refuse_call(const Reject *r, const Function *f, int name, bool kernel, const Host *h)
{
    const Tokens *t = r->t;
    const char *side = f->kernel ? "__global__" : "__device__";
    char *from = name_of(t, f->name);
    if (kernel) {
        error_at(r->u, &t->t[name], "a __global__ function call must be configured");
    } else if (h) {
        char *called = signature(t, h->name, h->open, h->close);
        error_at(r->u, &t->t[name], "calling a __host__ function(\"%s\") from a %s function(\"%s\") is not allowed",
                 called, side, from);
        free(called);
    } else {
        error_at(r->u, &t->t[name], "calling a __host__ function(\"%.*s\") from a %s function(\"%s\") is not allowed",
                 t->t[name].len, t->t[name].s, side, from);
    }
    free(from);
}

/* f(), ::f() or std::f() of C's library, which the program has no other function of that name for. The names are those that
 * nvcc 13 refuses of the functions of ctype.h, stdio.h, stdlib.h, string.h, time.h and unistd.h that programs call. */
static bool of_c_library(const Unit *u, const Tokens *t, const Node *callee)
{
    static const char *const names[] = {
        "abort",      "aligned_alloc", "asctime",        "asprintf",      "atexit",       "atof",
        "atoi",       "atol",          "atoll",          "bcmp",          "bcopy",        "bsearch",
        "bzero",      "calloc",        "clearerr",       "clock_gettime", "ctime",        "difftime",
        "div",        "dprintf",       "drand48",        "exit",          "fclose",       "feof",
        "ferror",     "fflush",        "fgetc",          "fgets",         "fopen",        "fprintf",
        "fputc",      "fputs",         "fread",          "freopen",       "fscanf",       "fseek",
        "ftell",      "fwrite",        "getc",           "getchar",       "getenv",       "getline",
        "getpid",     "gmtime",        "isalnum",        "isalpha",       "isblank",      "iscntrl",
        "isdigit",    "isgraph",       "islower",        "isprint",       "ispunct",      "isspace",
        "isupper",    "isxdigit",      "ldiv",           "lldiv",         "localtime",    "lrand48",
        "mblen",      "mbstowcs",      "mbtowc",         "memccpy",       "memchr",       "memcmp",
        "memmove",    "mempcpy",       "mkstemp",        "mktime",        "nanosleep",    "pclose",
        "perror",     "popen",         "posix_memalign", "putc",          "putchar",      "putenv",
        "puts",       "qsort",         "quick_exit",     "rand",          "rand_r",       "random",
        "read",       "realloc",       "realpath",       "remove",        "rename",       "rewind",
        "scanf",      "setbuf",        "setenv",         "setvbuf",       "sleep",        "snprintf",
        "sprintf",    "srand",         "srand48",        "srandom",       "sscanf",       "stpcpy",
        "strcasecmp", "strcat",        "strchr",         "strcmp",        "strcoll",      "strcpy",
        "strcspn",    "strdup",        "strerror",       "strftime",      "strlen",       "strncasecmp",
        "strncat",    "strncmp",       "strncpy",        "strndup",       "strnlen",      "strpbrk",
        "strrchr",    "strsep",        "strspn",         "strstr",        "strtod",       "strtof",
        "strtok",     "strtok_r",      "strtol",         "strtold",       "strtoll",      "strtoul",
        "strtoull",   "strxfrm",       "system",         "time",          "timespec_get", "tmpfile",
        "tmpnam",     "tolower",       "toupper",        "ungetc",        "unsetenv",     "usleep",
        "vfprintf",   "vsnprintf",     "vsprintf",       "wcstombs",      "wctomb",       "write",
        NULL};
    const int name = callee->last, scope = prev(t, name);
    const bool plain = callee->first == name;
    const bool qualified = is(t, scope, W_SCOPE) &&
                           (callee->first == scope || (is(t, callee->first, W_STD) && next(t, callee->first) == scope));
    return (plain || qualified) && named_in(t, names, name) && !has_name(u, t, name, N_FUNCTION) &&
           !has_name(u, t, name, N_TEMPLATE);
}

/* Calls in device code. */
static void check_calls(Reject *r, const Function *f, const Node *n)
{
    const Tokens *t = r->t;
    if (!n)
        return;
    const Node *callee = n->kind == E_CALL ? n->kid[0] : NULL;
    if (callee && callee->kind == E_NAME && !callee->decl) {
        const int name = callee->last;
        const bool bare = callee->first == name;
        const Host *h = bare ? host_named(r, name) : NULL;
        const bool kernel = bare && only_device(r, name, true);
        if ((kernel || h || of_c_library(r->u, t, callee)) && without_doubt(r, name, f->open, f->end))
            refuse_call(r, f, name, kernel, h);
    }
    for (int i = 0; i < n->n; i++)
        check_calls(r, f, n->kid[i]);
}

static bool in_device_code(const Unit *u, int i)
{
    for (int k = 0; k < u->nfunction; k++)
        if (u->function[k].body >= 0 && u->function[k].body < i && i < u->function[k].end)
            return true;
    return false;
}

/* f<<<...>>> of a function of the host */
static void check_host_launch(Reject *r, const Host *h, int i)
{
    const Tokens *t = r->t;
    int open = next(t, i);
    if (ident(t, i) && is(t, open, W_LESS) && is(t, open + 1, W_LESS) && is(t, open + 2, W_LESS) && adjacent(t, open) &&
        adjacent(t, open + 1) && host_named(r, i) && without_doubt(r, i, h->open, h->end))
        error_at(r->u, &t->t[i], "a host function call cannot be configured");
}

static void check_host(Reject *r, const Host *h)
{
    const Tokens *t = r->t;
    for (int i = h->body; i < h->end; i = next(t, i)) {
        check_host_launch(r, h, i);
        if (!call_at(t, i) || in_device_code(r->u, i))
            continue;
        if (is(t, i, W_SYNCTHREADS) || is(t, i, W_SYNCWARP))
            error_at(r->u, &t->t[i],
                     "calling a __device__ function(\"%.*s\") from a __host__ function(\"%.*s\") is not allowed",
                     t->t[i].len, t->t[i].s, t->t[h->name].len, t->t[h->name].s);
        bool kernel = only_device(r, i, true);
        if ((!kernel && !only_device(r, i, false)) || !without_doubt(r, i, h->open, h->end))
            continue;
        if (kernel) {
            error_at(r->u, &t->t[i], "a __global__ function call must be configured");
            continue;
        }
        for (int k = 0; k < r->u->nfunction; k++)
            if (r->u->function[k].name >= 0 && same(t, r->u->function[k].name, i)) {
                const Function *f = &r->u->function[k];
                char *called = signature(t, f->name, f->open, f->close);
                error_at(r->u, &t->t[i],
                         "calling a __device__ function(\"%s\") from a __host__ function(\"%.*s\") is not allowed",
                         called, t->t[h->name].len, t->t[h->name].s);
                free(called);
                break;
            }
    }
}

void pass_reject(Unit *u)
{
    Reject r = {.u = u, .t = &u->tok};
    host_functions(&r);
    for (int i = 0; i < u->nfunction; i++) {
        const Function *f = &u->function[i];
        int before = u->errors;
        if (f->kernel)
            check_kernel(&r, f);
        if (f->kernel && f->tree && u->errors == before)
            check_returns(&r, f, f->tree);
        if (f->body >= 0 && (f->kernel || f->device) && !f->host && !f->is_constexpr && !u->tok.t[f->open].ours)
            check_device(&r, f);
        if (f->tree && !f->host && !f->member && f->template_first < 0 && f->name >= 0 && !u->tok.t[f->name].ours)
            check_calls(&r, f, f->tree);
    }
    for (int i = 0; i < r.nhost; i++)
        check_host(&r, &r.host[i]);
    reject_variables(u);
    reject_forms(u);
    reject_constants(u);
    free(r.host);
    if (!u->relaxed_constexpr)
        reject_constexpr(u);
}
