/* ptx_parse.c: the text of an asm statement -> PtxProgram. It knows PTX's syntax only, no instruction. */
#define _POSIX_C_SOURCE 200809L
#include "ptx/ptx.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    const char *p;
    int line;
    PtxProgram *program;
} Reader;

static void fail(Reader *r, const char *fmt, ...)
{
    if (r->program->error[0])
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(r->program->error, sizeof r->program->error, fmt, ap);
    va_end(ap);
    r->program->error_line = r->line;
}

static void *grow(void *p, int n, size_t size)
{
    if (n & (n - 1)) /* room is doubled at powers of two */
        return p;
    p = realloc(p, (n ? 2 * (size_t)n : 1) * size);
    if (!p) {
        fprintf(stderr, "cucc: out of memory\n");
        exit(1);
    }
    return p;
}

static void skip_space(Reader *r)
{
    for (;;) {
        if (*r->p == '\n') {
            r->line++;
            r->p++;
        } else if (isspace((unsigned char)*r->p)) {
            r->p++;
        } else if (r->p[0] == '/' && r->p[1] == '/') {
            while (*r->p && *r->p != '\n')
                r->p++;
        } else if (r->p[0] == '/' && r->p[1] == '*') {
            const char *end = strstr(r->p + 2, "*/");
            for (const char *q = r->p; q < (end ? end : r->p); q++)
                r->line += *q == '\n';
            r->p = end ? end + 2 : r->p + strlen(r->p);
        } else {
            return;
        }
    }
}

static bool accept(Reader *r, char c)
{
    skip_space(r);
    if (*r->p != c)
        return false;
    r->p++;
    return true;
}

static bool name_start(int c) { return isalpha(c) || c == '_' || c == '$' || c == '%'; }
static bool name_part(int c) { return isalnum(c) || c == '_' || c == '$'; }

static void add_kid(PtxArg *a, PtxArg kid)
{
    a->kid = grow(a->kid, a->n, sizeof *a->kid);
    a->kid[a->n++] = kid;
}

/* Names may have one dot: %tid.x, v.y. */
static void read_name(Reader *r, PtxArg *a)
{
    a->kind = PTX_NAME;
    a->s = r->p;
    if (*r->p == '%' && r->p[1] == '%') { /* %% is how an asm statement with operands writes % */
        a->s = ++r->p;
    }
    r->p++;
    while (name_part((unsigned char)*r->p))
        r->p++;
    if (*r->p == '.' && isalpha((unsigned char)r->p[1])) {
        r->p++;
        while (name_part((unsigned char)*r->p))
            r->p++;
    }
    a->len = (int)(r->p - a->s);
    if (a->len == 1 && *a->s == '_')
        a->kind = PTX_SINK;
}

static void read_number(Reader *r, PtxArg *a)
{
    a->kind = PTX_INTEGER;
    a->s = r->p;
    if (*r->p == '-' || *r->p == '+')
        r->p++;
    if (*r->p == '0' && strchr("fFdD", r->p[1]) && r->p[1] && isxdigit((unsigned char)r->p[2])) {
        a->kind = PTX_FLOAT;
        r->p += 2;
        while (isxdigit((unsigned char)*r->p))
            r->p++;
    } else if (*r->p == '0' && strchr("xXbB", r->p[1]) && r->p[1]) {
        r->p += 2;
        while (isxdigit((unsigned char)*r->p))
            r->p++;
    } else {
        while (isdigit((unsigned char)*r->p))
            r->p++;
        if (*r->p == '.' || *r->p == 'e' || *r->p == 'E') {
            a->kind = PTX_FLOAT;
            while (isdigit((unsigned char)*r->p) || strchr(".eE", *r->p) ||
                   (strchr("+-", *r->p) && strchr("eE", r->p[-1]))) {
                if (!*r->p)
                    break;
                r->p++;
            }
        }
    }
    a->len = (int)(r->p - a->s);
    if (*r->p == 'U' || *r->p == 'u')
        r->p++;
}

static void read_arg(Reader *r, PtxArg *a);

static void read_list(Reader *r, PtxArg *a, char close)
{
    do {
        PtxArg kid;
        read_arg(r, &kid);
        add_kid(a, kid);
    } while (!r->program->error[0] && accept(r, ','));
    if (!accept(r, close))
        fail(r, "'%c' is missing in the PTX", close);
}

static void read_primary(Reader *r, PtxArg *a)
{
    memset(a, 0, sizeof *a);
    skip_space(r);
    if (accept(r, '!'))
        a->negated = true;
    skip_space(r);
    const char c = *r->p;
    if (accept(r, '{')) {
        a->kind = PTX_VECTOR;
        read_list(r, a, '}');
    } else if (accept(r, '[')) {
        a->kind = PTX_ADDRESS;
        read_list(r, a, ']');
    } else if (c == '%' && isdigit((unsigned char)r->p[1])) {
        a->kind = PTX_OPERAND;
        a->s = r->p++;
        a->index = (int)strtol(r->p, (char **)&r->p, 10);
        a->len = (int)(r->p - a->s);
    } else if (name_start((unsigned char)c)) {
        read_name(r, a);
    } else if (isdigit((unsigned char)c) || ((c == '-' || c == '+') && isdigit((unsigned char)r->p[1]))) {
        read_number(r, a);
    } else if (c == '-') {
        bool negated = a->negated;
        r->p++;
        read_primary(r, a);
        a->negated = negated;
        a->minus = true;
    } else {
        fail(r, c ? "an operand is expected in the PTX, not '%.12s'" : "the PTX ends in the middle of an instruction",
             r->p);
    }
}

/* base + offset is kept as a pair of kids inside the address: { base, offset } with `index` 1 on the offset. */
static void read_arg(Reader *r, PtxArg *a)
{
    read_primary(r, a);
    skip_space(r);
    if (*r->p == '|') {
        PtxArg first = *a, second;
        r->p++;
        read_primary(r, &second);
        memset(a, 0, sizeof *a);
        a->kind = PTX_PAIR;
        add_kid(a, first);
        add_kid(a, second);
    } else if (*r->p == '+' || *r->p == '-') {
        PtxArg base = *a, offset;
        const bool minus = *r->p++ == '-';
        read_primary(r, &offset);
        offset.minus ^= minus;
        memset(a, 0, sizeof *a);
        a->kind = PTX_ADDRESS; /* a sum; only an address may hold one */
        a->index = 1;
        add_kid(a, base);
        add_kid(a, offset);
    }
}

static PtxStatement *add_statement(Reader *r, PtxKind kind)
{
    PtxProgram *q = r->program;
    q->statement = grow(q->statement, q->n, sizeof *q->statement);
    PtxStatement *s = &q->statement[q->n++];
    memset(s, 0, sizeof *s);
    s->kind = kind;
    s->line = r->line;
    return s;
}

static void add_arg(PtxStatement *s, PtxArg a)
{
    s->arg = grow(s->arg, s->n, sizeof *s->arg);
    s->arg[s->n++] = a;
}

/* .reg .b32 a, b; and .reg .pred p<4>; */
static void read_directive(Reader *r)
{
    if (strncmp(r->p, ".reg", 4) || name_part((unsigned char)r->p[4])) {
        fail(r, "the PTX directive %.*s is not supported on the CPU device", (int)strcspn(r->p, " \t\n;"), r->p);
        return;
    }
    PtxStatement *s = add_statement(r, PTX_REG);
    r->p += 4;
    skip_space(r);
    if (*r->p == '.' && r->p[1] == 'v') /* .v2, .v4: a vector of registers */
        fail(r, "vector registers (.reg .v2) are not supported on the CPU device");
    if (!accept(r, '.'))
        fail(r, "a type is missing after .reg");
    s->type = r->p;
    while (name_part((unsigned char)*r->p))
        r->p++;
    s->type_len = (int)(r->p - s->type);
    do {
        PtxArg a;
        read_primary(r, &a);
        if (accept(r, '<')) {
            skip_space(r);
            a.index = (int)strtol(r->p, (char **)&r->p, 10);
            if (!accept(r, '>'))
                fail(r, "'>' is missing after .reg");
        }
        add_arg(s, a);
    } while (!r->program->error[0] && accept(r, ','));
}

static void read_instruction(Reader *r)
{
    PtxArg guard = {0};
    if (accept(r, '@'))
        read_primary(r, &guard);
    skip_space(r);
    const char *name = r->p;
    while (name_part((unsigned char)*r->p) || *r->p == '.' || (*r->p == ':' && r->p[1] == ':' && ++r->p))
        r->p++;
    const int len = (int)(r->p - name);
    if (!len) {
        fail(r, "an instruction is expected in the PTX, not '%.12s'", r->p);
        return;
    }
    if (!guard.s && accept(r, ':')) {
        PtxStatement *s = add_statement(r, PTX_LABEL);
        s->name = name;
        s->len = len;
        return;
    }
    PtxStatement *s = add_statement(r, PTX_INSTRUCTION);
    s->guard = guard;
    s->name = name;
    s->len = len;
    skip_space(r);
    if (*r->p != ';' && *r->p)
        do {
            PtxArg a;
            read_arg(r, &a);
            add_arg(&r->program->statement[r->program->n - 1], a);
        } while (!r->program->error[0] && accept(r, ','));
    if (!accept(r, ';') && *r->p && *r->p != '}')
        fail(r, "';' is missing in the PTX before '%.12s'", r->p);
}

void ptx_parse(PtxProgram *program, const char *text)
{
    memset(program, 0, sizeof *program);
    program->text = strdup(text);
    if (!program->text) {
        fprintf(stderr, "cucc: out of memory\n");
        exit(1);
    }
    Reader r = {program->text, 0, program};
    int depth = 0;
    for (;;) {
        skip_space(&r);
        if (!*r.p || program->error[0])
            break;
        if (*r.p == ';') {
            r.p++;
        } else if (*r.p == '{') {
            r.p++;
            depth++;
            add_statement(&r, PTX_OPEN);
        } else if (*r.p == '}') {
            r.p++;
            if (--depth < 0)
                fail(&r, "one '}' too many in the PTX");
            else
                add_statement(&r, PTX_CLOSE);
        } else if (*r.p == '.') {
            read_directive(&r);
        } else {
            read_instruction(&r);
        }
    }
    if (depth > 0)
        fail(&r, "'}' is missing in the PTX");
}

static void free_arg(PtxArg *a)
{
    for (int i = 0; i < a->n; i++)
        free_arg(&a->kid[i]);
    free(a->kid);
}

void ptx_free(PtxProgram *program)
{
    for (int i = 0; i < program->n; i++) {
        for (int k = 0; k < program->statement[i].n; k++)
            free_arg(&program->statement[i].arg[k]);
        free(program->statement[i].arg);
    }
    free(program->statement);
    free(program->text);
}
