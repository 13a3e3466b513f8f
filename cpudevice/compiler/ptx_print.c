/* ptx_print.c: PtxProgram -> C++. An asm statement becomes
 *
 *   do {
 *       uint32_t cpudev_0 = 0, cpudev_1 = ptx::get<uint32_t>(expression);      the operands, as bits
 *       __attribute__((unused)) uint32_t cpudev_r_tmp = 0;                     .reg
 *       if (cpudev_r_p) cpudev_0 = ptx::add<ptx::u32, ptx::mods<>>(...);       an instruction
 *       ptx::put(result, cpudev_0);
 *   } while (0)
 *
 * on one line. Labels are local to the block in which they stand, as in PTX. */
#define _POSIX_C_SOURCE 200809L
#include "ptx.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Printer {
    PtxProgram *program;
    const PtxBinding *binding;
    int bindings;
    FILE *out;
    int line;            /* of the statement that is printed */
    const PtxWord *type; /* of the instruction that is printed: for decimal literals */
    bool *late;          /* of each operand: is it a result that lands later? */
} Printer;

static void fail(Printer *p, const char *fmt, ...)
{
    if (p->program->error[0])
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(p->program->error, sizeof p->program->error, fmt, ap);
    va_end(ap);
    p->program->error_line = p->line;
}

static bool is_word(const char *s, int len, const char *word)
{
    return (int)strlen(word) == len && !memcmp(s, word, (size_t)len);
}

/* A name with what C++ does not allow in one replaced: L2::cache_hint -> L2__cache_hint. */
static void print_name(Printer *p, const char *prefix, const char *s, int len)
{
    fputs(prefix, p->out);
    for (int i = 0; i < len; i++)
        fputc(isalnum((unsigned char)s[i]) ? s[i] : '_', p->out);
}

/* ---- registers ---- */

/* Is the name declared by a .reg somewhere in the text? PTX has its scopes; a name that stands in two is printed alike.
 */
static const PtxStatement *declared(const Printer *p, const char *s, int len)
{
    for (int i = 0; i < p->program->n; i++) {
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

static const char *c_type(const char *type, int len)
{
    if (is_word(type, len, "pred"))
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

static void print_registers(Printer *p, const PtxStatement *s)
{
    const char *type = c_type(s->type, s->type_len);
    p->line = s->line;
    if (!type)
        fail(p, "the PTX register type .%.*s is not supported on the CPU device", s->type_len, s->type);
    for (int i = 0; i < s->n && type; i++) {
        const PtxArg *a = &s->arg[i];
        if (a->kind != PTX_NAME || a->len == 0) {
            fail(p, "a register's name is expected after .reg");
            return;
        }
        for (int k = 0; k < (a->index ? a->index : 1); k++) {
            fprintf(p->out, "__attribute__((unused)) %s ", type); /* a result may be for nobody */
            print_name(p, "cpudev_r_", a->s, a->len);
            if (a->index)
                fprintf(p->out, "%d", k);
            fputs(" = 0; ", p->out);
        }
    }
}

/* The statement after the block that s opens, or the end. */
static const PtxStatement *block_end(const Printer *p, const PtxStatement *s)
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
static void print_block_start(Printer *p, const PtxStatement *first)
{
    const PtxStatement *end = block_end(p, first);
    for (int pass = 0; pass < 2; pass++) {
        int depth = 0;
        for (const PtxStatement *s = first; s < end; s++) {
            depth += s->kind == PTX_OPEN;
            depth -= s->kind == PTX_CLOSE;
            if (depth == 0 && pass == 0 && s->kind == PTX_LABEL) {
                print_name(p, "__label__ cpudev_l_", s->name, s->len);
                fputs("; ", p->out);
            }
            if (depth == 0 && pass == 1 && s->kind == PTX_REG)
                print_registers(p, s);
        }
    }
}

/* ---- operands ---- */

static void print_value(Printer *p, const PtxArg *a);

static void print_list(Printer *p, const PtxArg *a)
{
    for (int i = 0; i < a->n; i++) {
        if (i)
            fputs(", ", p->out);
        print_value(p, &a->kid[i]);
    }
}

static void print_float(Printer *p, const PtxArg *a)
{
    const char *s = a->s + (*a->s == '-' || *a->s == '+');
    if (s[0] == '0' && s[1] && strchr("fF", s[1]))
        fprintf(p->out, "(uint32_t)0x%.*s", a->len - (int)(s + 2 - a->s), s + 2);
    else if (s[0] == '0' && s[1] && strchr("dD", s[1]))
        fprintf(p->out, "(uint64_t)0x%.*sull", a->len - (int)(s + 2 - a->s), s + 2);
    else
        fprintf(p->out, "::cpudev::ptx::decimal<::cpudev::ptx::%s>(%.*s)",
                p->type && is_word(p->type->s, p->type->len, "f64") ? "f64" : "f32", a->len, a->s);
}

static void print_operand(Printer *p, const PtxArg *a)
{
    if (a->index >= p->bindings)
        fail(p, "the asm statement has no operand %%%d", a->index);
    else if (p->binding[a->index].constraint == 'n')
        fprintf(p->out, "(%s)", p->binding[a->index].expression);
    else
        fprintf(p->out, "cpudev_%d", a->index);
}

static void print_value(Printer *p, const PtxArg *a)
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
            print_name(p, "cpudev_r_", a->s, a->len);
        else if (*a->s == '%' && ptx_special_register(a->s + 1, a->len - 1))
            print_name(p, "::cpudev::ptx::sreg_", a->s + 1, a->len - 1), fputs("()", p->out);
        else if (*a->s == '%')
            fail(p, "the PTX special register %.*s is not supported on the CPU device", a->len, a->s);
        else if (is_word(a->s, a->len, "WARP_SZ"))
            fputs("32", p->out);
        else
            fail(p, "the PTX names %.*s, which no .reg declares", a->len, a->s);
        break;
    case PTX_ADDRESS:
        if (a->index) { /* base + offset */
            print_value(p, &a->kid[0]);
            fputs(" + ", p->out);
            print_value(p, &a->kid[1]);
        } else {
            print_list(p, a);
        }
        break;
    case PTX_VECTOR:
        fputc('{', p->out);
        print_list(p, a);
        fputc('}', p->out);
        break;
    default: fail(p, "a PTX operand cannot stand here"); break;
    }
}

/* Where a result goes: a register or an output of the asm statement. */
static void print_target(Printer *p, const PtxArg *a)
{
    if (a->kind == PTX_OPERAND) {
        if (a->index >= p->bindings || !p->binding[a->index].out)
            fail(p, "the PTX writes operand %%%d, which is no output of the asm statement", a->index);
        fprintf(p->out, "cpudev_%d", a->index);
    } else if (a->kind == PTX_NAME && declared(p, a->s, a->len)) {
        print_name(p, "cpudev_r_", a->s, a->len);
    } else {
        fail(p, "the PTX writes %.*s, which is no register", a->s ? a->len : 0, a->s ? a->s : "");
    }
}

/* Results that land later: {&a, &b}. They are outputs of the asm statement, as a register of the text ends with it. */
static void print_addresses(Printer *p, const PtxArg *a)
{
    fputc('{', p->out);
    for (int i = 0; i < a->n && a->kind == PTX_VECTOR; i++) {
        if (a->kid[i].kind != PTX_OPERAND)
            fail(p, "the PTX has a result that lands later in %.*s, which is no operand of the asm statement",
                 a->kid[i].s ? a->kid[i].len : 0, a->kid[i].s ? a->kid[i].s : "");
        fputs(i ? ", &" : "&", p->out);
        print_target(p, &a->kid[i]);
    }
    fputc('}', p->out);
}

/* ---- instructions ---- */

static void print_call(Printer *p, const PtxStatement *s, const PtxMatch *m)
{
    const PtxRow *row = m->row;
    fputs("::cpudev::ptx::", p->out);
    if (row->function)
        fputs(row->function, p->out);
    else
        print_name(p, "", row->opcode, (int)strlen(row->opcode));
    fputc('<', p->out);
    for (int i = 0; i < m->types; i++)
        fprintf(p->out, "::cpudev::ptx::%.*s, ", m->type[i].len, m->type[i].s);
    fputs("::cpudev::ptx::mods<", p->out);
    for (int i = 0; i < m->modifiers; i++) {
        const char *word = m->modifier[i].s;
        if (i)
            fputs(", ", p->out);
        int a, b, c;
        if (sscanf(word, "m%dn%dk%d", &a, &b, &c) == 3)
            fprintf(p->out, "::cpudev::ptx::shape(%d, %d, %d)", a, b, c);
        else
            print_name(p, "::cpudev::ptx::m_", word, m->modifier[i].len);
    }
    fputs(">>(", p->out);
    const int first = row->results == PTX_LATE ? 0 : row->results;
    for (int i = first; i < s->n; i++) {
        if (i > first)
            fputs(", ", p->out);
        if (i == 0 && row->results == PTX_LATE)
            print_addresses(p, &s->arg[0]);
        else
            print_value(p, &s->arg[i]);
    }
    fputc(')', p->out);
}

static void print_results(Printer *p, const PtxStatement *s, const PtxMatch *m)
{
    const PtxArg *a = &s->arg[0];
    if (a->kind == PTX_SINK) {
        fputs("(void)", p->out);
        print_call(p, s, m);
        fputs("; ", p->out);
    } else if (a->kind == PTX_VECTOR || a->kind == PTX_PAIR) {
        fputs("{ const auto cpudev_t = ", p->out);
        print_call(p, s, m);
        fputs("; ", p->out);
        for (int i = 0; i < a->n; i++) {
            if (a->kid[i].kind == PTX_SINK)
                continue;
            print_target(p, &a->kid[i]);
            fprintf(p->out, " = ::cpudev::ptx::part<%d>(cpudev_t); ", i);
        }
        fputs("} ", p->out);
    } else {
        print_target(p, a);
        fputs(" = ::cpudev::ptx::part<0>(", p->out);
        print_call(p, s, m);
        fputs("); ", p->out);
    }
}

/* mov.b64 {lo, hi}, x and mov.b64 x, {lo, hi}: the function depends on how many parts there are. */
static void print_mov_parts(Printer *p, const PtxStatement *s, const PtxMatch *m)
{
    const bool pack = s->arg[1].kind == PTX_VECTOR;
    const PtxArg *parts = &s->arg[pack ? 1 : 0];
    if (pack) {
        print_target(p, &s->arg[0]);
        fprintf(p->out, " = ::cpudev::ptx::pack<::cpudev::ptx::%.*s>(", m->type[0].len, m->type[0].s);
        print_list(p, parts);
        fputs("); ", p->out);
        return;
    }
    fprintf(p->out, "{ const auto cpudev_t = ::cpudev::ptx::unpack<::cpudev::ptx::%.*s, %d>(", m->type[0].len,
            m->type[0].s, parts->n);
    print_value(p, &s->arg[1]);
    fputs("); ", p->out);
    for (int i = 0; i < parts->n; i++) {
        if (parts->kid[i].kind == PTX_SINK)
            continue;
        print_target(p, &parts->kid[i]);
        fprintf(p->out, " = ::cpudev::ptx::part<%d>(cpudev_t); ", i);
    }
    fputs("} ", p->out);
}

static bool print_branch(Printer *p, const PtxStatement *s)
{
    if (s->len < 3 || memcmp(s->name, "bra", 3) || (s->len > 3 && !is_word(s->name, s->len, "bra.uni")))
        return false;
    if (s->n != 1 || s->arg[0].kind != PTX_NAME)
        fail(p, "bra wants a label");
    else
        print_name(p, "goto cpudev_l_", s->arg[0].s, s->arg[0].len);
    fputs("; ", p->out);
    return true;
}

static void print_instruction(Printer *p, const PtxStatement *s)
{
    PtxMatch m;
    if (s->guard.s) {
        fputs("if (", p->out);
        print_value(p, &s->guard);
        fputs(") ", p->out);
    }
    fputs("{ ", p->out);
    if (!print_branch(p, s)) {
        char why[200];
        if (!ptx_match(s->name, s->len, &m, why, sizeof why)) {
            fail(p, "%s", why);
            return;
        }
        if (s->n < m.row->least || s->n > m.row->most) {
            fail(p, "the PTX instruction %.*s has %d operands here, not %d", s->len, s->name, s->n, m.row->least);
            return;
        }
        p->type = m.types ? &m.type[m.types - 1] : NULL;
        if (!strcmp(m.row->opcode, "mov") && (s->arg[0].kind == PTX_VECTOR || s->arg[1].kind == PTX_VECTOR))
            print_mov_parts(p, s, &m);
        else if (m.row->results > 0)
            print_results(p, s, &m);
        else
            print_call(p, s, &m), fputs("; ", p->out);
    }
    fputs("} ", p->out);
}

/* ---- the asm statement ---- */

static const char *bits_of(char constraint)
{
    switch (constraint) {
    case 'h': return "uint16_t";
    case 'r':
    case 'f': return "uint32_t";
    case 'l':
    case 'd': return "uint64_t";
    case 'q': return "unsigned __int128";
    default: return NULL;
    }
}

/* Which operands are results that land later. */
static void find_late(Printer *p)
{
    PtxMatch m;
    char why[200];
    for (int i = 0; i < p->program->n; i++) {
        const PtxStatement *s = &p->program->statement[i];
        if (s->kind != PTX_INSTRUCTION || !s->n || s->arg[0].kind != PTX_VECTOR ||
            !ptx_match(s->name, s->len, &m, why, sizeof why) || m.row->results != PTX_LATE)
            continue;
        for (int k = 0; k < s->arg[0].n; k++)
            if (s->arg[0].kid[k].kind == PTX_OPERAND && s->arg[0].kid[k].index < p->bindings)
                p->late[s->arg[0].kid[k].index] = true;
    }
}

static void print_bindings(Printer *p)
{
    for (int i = 0; i < p->bindings; i++) {
        const PtxBinding *b = &p->binding[i];
        const char *type = bits_of(b->constraint);
        if (b->constraint == 'n')
            continue;
        if (p->late[i] && b->out) {
            fprintf(p->out, "[[maybe_unused]] ::cpudev::ptx::bits32 &cpudev_%d = ::cpudev::ptx::same<'%c'>(%s); ", i,
                    b->constraint, b->expression);
            continue;
        }
        if (!type)
            fail(p, "an asm operand's constraint \"%c\" is not known", b->constraint);
        else if (b->in)
            fprintf(p->out, "[[maybe_unused]] %s cpudev_%d = ::cpudev::ptx::get<'%c', %s>(%s); ", type, i,
                    b->constraint, type, b->expression);
        else
            fprintf(p->out, "%s cpudev_%d = 0; ", type, i);
    }
}

static bool uses_carry(const PtxProgram *q)
{
    for (int i = 0; i < q->n; i++)
        for (int k = 0; q->statement[i].kind == PTX_INSTRUCTION && k + 2 < q->statement[i].len; k++)
            if (!memcmp(q->statement[i].name + k, ".cc", 3))
                return true;
    return false;
}

char *ptx_print(PtxProgram *program, const PtxBinding *binding, int bindings)
{
    char *text = NULL;
    size_t size = 0;
    Printer p = {program, binding, bindings, open_memstream(&text, &size), 0, NULL, NULL};
    if (!p.out)
        return NULL;
    p.late = calloc((size_t)bindings + 1, sizeof *p.late);
    if (!p.late)
        abort();
    find_late(&p);
    fputs("do { ", p.out);
    print_block_start(&p, program->statement);
    if (uses_carry(program))
        fputs("::cpudev::ptx::carry = 0; ", p.out);
    print_bindings(&p);
    for (int i = 0; i < program->n && !program->error[0]; i++) {
        const PtxStatement *s = &program->statement[i];
        p.line = s->line;
        switch (s->kind) {
        case PTX_OPEN:
            fputs("{ ", p.out);
            print_block_start(&p, s + 1);
            break;
        case PTX_CLOSE: fputs("} ", p.out); break;
        case PTX_REG: break; /* at its block's beginning */
        case PTX_LABEL:
            print_name(&p, "cpudev_l_", s->name, s->len);
            fputs(":; ", p.out);
            break;
        case PTX_INSTRUCTION: print_instruction(&p, s); break;
        }
    }
    for (int i = 0; i < bindings; i++)
        if (binding[i].out && !p.late[i])
            fprintf(p.out, "::cpudev::ptx::put<'%c'>(%s, cpudev_%d); ", binding[i].constraint, binding[i].expression,
                    i);
    fputs("} while (0)", p.out);
    fclose(p.out);
    free(p.late);
    if (program->error[0]) {
        free(text);
        return NULL;
    }
    return text;
}
