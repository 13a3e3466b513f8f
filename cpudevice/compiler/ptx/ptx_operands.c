/* ptx_operands.c: registers, labels and operands of PTX -> C++ (ptx_print.c). A register is a variable at the beginning of the
 * block in which it is declared; an operand of the asm statement is cpudev_N. */
#include "ptx/ptx_printer.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void ptx_fail(PtxPrinter *p, const char *fmt, ...)
{
    if (p->program->error[0])
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(p->program->error, sizeof p->program->error, fmt, ap);
    va_end(ap);
    p->program->error_line = p->line;
}

bool ptx_is_word(const char *s, int len, const char *word)
{
    return (int)strlen(word) == len && !memcmp(s, word, (size_t)len);
}

/* A name with what C++ does not allow in one replaced: L2::cache_hint -> L2__cache_hint. */
void ptx_print_name(PtxPrinter *p, const char *prefix, const char *s, int len)
{
    fputs(prefix, p->out);
    for (int i = 0; i < len; i++)
        fputc(isalnum((unsigned char)s[i]) ? s[i] : '_', p->out);
}

/* ---- registers ---- */

/* Is the name declared by a .reg somewhere in the text? PTX has its scopes; a name in two of them is printed alike.
 */
static const PtxStatement *declared_from(const PtxPrinter *p, const char *s, int len, int from)
{
    for (int i = from; i < p->program->n; i++) {
        const PtxStatement *q = &p->program->statement[i];
        for (int k = 0; q->kind == PTX_REG && k < q->n; k++) {
            const PtxArg *a = &q->arg[k];
            if (a->index && len > a->len && !memcmp(a->s, s, (size_t)a->len) && isdigit((unsigned char)s[a->len]))
                return q;
            if (a->len == len && !memcmp(a->s, s, (size_t)len))
                return q;
        }
    }
    return NULL;
}

static const PtxStatement *declared(const PtxPrinter *p, const char *s, int len) { return declared_from(p, s, len, 0); }

/* The declaration of the register s; NULL if there is none, or there are two of different types. */
const PtxStatement *ptx_register(const PtxPrinter *p, const char *s, int len)
{
    const PtxStatement *found = declared(p, s, len);
    for (const PtxStatement *q = found; q; q = declared_from(p, s, len, (int)(q - p->program->statement) + 1))
        if (q->type_len != found->type_len || memcmp(q->type, found->type, (size_t)q->type_len) != 0)
            return NULL;
    return found;
}

static const char *c_type(const char *type, int len)
{
    if (ptx_is_word(type, len, "pred"))
        return "bool";
    const char *digits = type;
    while (digits < type + len && !isdigit((unsigned char)*digits))
        digits++;
    int bits = atoi(digits);
    if (memchr(digits, 'x', (size_t)(type + len - digits)))
        bits *= 2; /* f16x2 */
    switch (bits) {
    case 8: return "uint8_t";
    case 16: return "uint16_t";
    case 32: return "uint32_t";
    case 64: return "uint64_t";
    case 128: return "unsigned __int128";
    default: return NULL;
    }
}

static void print_registers(PtxPrinter *p, const PtxStatement *s)
{
    const char *type = c_type(s->type, s->type_len);
    p->line = s->line;
    if (!type)
        ptx_fail(p, "the PTX register type .%.*s is not supported on the CPU device", s->type_len, s->type);
    for (int i = 0; i < s->n && type; i++) {
        const PtxArg *a = &s->arg[i];
        if (a->kind != PTX_NAME || a->len == 0) {
            ptx_fail(p, "a register's name is expected after .reg");
            return;
        }
        for (int k = 0; k < (a->index ? a->index : 1); k++) {
            fprintf(p->out, "__attribute__((unused)) %s ", type); /* a result may be for nobody */
            ptx_print_name(p, "cpudev_r_", a->s, a->len);
            if (a->index)
                fprintf(p->out, "%d", k);
            fputs(" = 0; ", p->out);
        }
    }
}

/* The statement after the block that s opens, or the end. */
static const PtxStatement *block_end(const PtxPrinter *p, const PtxStatement *s)
{
    int depth = 1;
    for (; s < p->program->statement + p->program->n; s++) {
        depth += s->kind == PTX_OPEN;
        depth -= s->kind == PTX_CLOSE;
        if (!depth)
            return s;
    }
    return s;
}

/* What C++ wants at a block's beginning: its labels, then its registers, so that no jump passes one. */
void ptx_print_block_start(PtxPrinter *p, const PtxStatement *first)
{
    const PtxStatement *end = block_end(p, first);
    for (int pass = 0; pass < 2; pass++) {
        int depth = 0;
        for (const PtxStatement *s = first; s < end; s++) {
            depth += s->kind == PTX_OPEN;
            depth -= s->kind == PTX_CLOSE;
            if (depth == 0 && pass == 0 && s->kind == PTX_LABEL) {
                ptx_print_name(p, "__label__ cpudev_l_", s->name, s->len);
                fputs("; ", p->out);
            }
            if (depth == 0 && pass == 1 && s->kind == PTX_REG)
                print_registers(p, s);
        }
    }
}

/* ---- operands ---- */

void ptx_print_list(PtxPrinter *p, const PtxArg *a)
{
    for (int i = 0; i < a->n; i++) {
        if (i)
            fputs(", ", p->out);
        ptx_print_value(p, &a->kid[i]);
    }
}

static void print_float(PtxPrinter *p, const PtxArg *a)
{
    const char *s = a->s + (*a->s == '-' || *a->s == '+');
    if (s[0] == '0' && s[1] && strchr("fF", s[1]))
        fprintf(p->out, "(uint32_t)0x%.*s", a->len - (int)(s + 2 - a->s), s + 2);
    else if (s[0] == '0' && s[1] && strchr("dD", s[1]))
        fprintf(p->out, "(uint64_t)0x%.*sull", a->len - (int)(s + 2 - a->s), s + 2);
    else
        fprintf(p->out, "::cpudev::ptx::decimal<::cpudev::ptx::%s>(%.*s)",
                p->type && ptx_is_word(p->type->s, p->type->len, "f64") ? "f64" : "f32", a->len, a->s);
}

static void print_operand(PtxPrinter *p, const PtxArg *a)
{
    if (a->index >= p->bindings)
        ptx_fail(p, "the asm statement has no operand %%%d", a->index);
    else if (p->binding[a->index].constraint == 'n')
        fprintf(p->out, "(%s)", p->binding[a->index].expression);
    else
        fprintf(p->out, "cpudev_%d", a->index);
}

void ptx_print_value(PtxPrinter *p, const PtxArg *a)
{
    if (a->negated)
        fputc('!', p->out);
    if (a->minus)
        fputc('-', p->out);
    switch (a->kind) {
    case PTX_OPERAND: print_operand(p, a); break;
    case PTX_INTEGER: fprintf(p->out, "%.*s", a->len, a->s); break;
    case PTX_FLOAT: print_float(p, a); break;
    case PTX_NAME:
        if (declared(p, a->s, a->len))
            ptx_print_name(p, "cpudev_r_", a->s, a->len);
        else if (*a->s == '%' && ptx_special_register(a->s + 1, a->len - 1))
            ptx_print_name(p, "::cpudev::ptx::sreg_", a->s + 1, a->len - 1), fputs("()", p->out);
        else if (*a->s == '%')
            ptx_fail(p, "the PTX special register %.*s is not supported on the CPU device", a->len, a->s);
        else if (ptx_is_word(a->s, a->len, "WARP_SZ"))
            fputs("32", p->out);
        else
            ptx_fail(p, "the PTX names %.*s, which no .reg declares", a->len, a->s);
        break;
    case PTX_ADDRESS:
        if (a->index) { /* base + offset */
            ptx_print_value(p, &a->kid[0]);
            fputs(" + ", p->out);
            ptx_print_value(p, &a->kid[1]);
        } else {
            ptx_print_list(p, a);
        }
        break;
    case PTX_VECTOR:
        fputc('{', p->out);
        ptx_print_list(p, a);
        fputc('}', p->out);
        break;
    default: ptx_fail(p, "a PTX operand is not allowed here"); break;
    }
}

/* Where a result goes: a register or an output of the asm statement. */
void ptx_print_target(PtxPrinter *p, const PtxArg *a)
{
    if (a->kind == PTX_OPERAND) {
        if (a->index >= p->bindings || !p->binding[a->index].out)
            ptx_fail(p, "the PTX writes operand %%%d, which is not an output of the asm statement", a->index);
        fprintf(p->out, "cpudev_%d", a->index);
    } else if (a->kind == PTX_NAME && declared(p, a->s, a->len)) {
        ptx_print_name(p, "cpudev_r_", a->s, a->len);
    } else {
        ptx_fail(p, "the PTX writes %.*s, which is not a register", a->s ? a->len : 0, a->s ? a->s : "");
    }
}

/* Results that land later: {&a, &b}. They are outputs of the asm statement, as a register of the text ends with it. */
void ptx_print_addresses(PtxPrinter *p, const PtxArg *a)
{
    fputc('{', p->out);
    for (int i = 0; i < a->n && a->kind == PTX_VECTOR; i++) {
        if (a->kid[i].kind != PTX_OPERAND)
            ptx_fail(p, "the PTX has a result that lands later in %.*s, which is not an operand of the asm statement",
                     a->kid[i].s ? a->kid[i].len : 0, a->kid[i].s ? a->kid[i].s : "");
        fputs(i ? ", &" : "&", p->out);
        ptx_print_target(p, &a->kid[i]);
    }
    fputc('}', p->out);
}
