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
#include "ptx/ptx_printer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- instructions ---- */

static void print_call(PtxPrinter *p, const PtxStatement *s, const PtxMatch *m)
{
    const PtxRow *row = m->row;
    fputs("::cpudev::ptx::", p->out);
    if (row->function)
        fputs(row->function, p->out);
    else
        ptx_print_name(p, "", row->opcode, (int)strlen(row->opcode));
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
            ptx_print_name(p, "::cpudev::ptx::m_", word, m->modifier[i].len);
    }
    fputs(">>(", p->out);
    const int first = row->results == PTX_LATE ? 0 : row->results;
    for (int i = first; i < s->n; i++) {
        if (i > first)
            fputs(", ", p->out);
        if (i == 0 && row->results == PTX_LATE)
            ptx_print_addresses(p, &s->arg[0]);
        else
            ptx_print_value(p, &s->arg[i]);
    }
    fputc(')', p->out);
}

static void print_results(PtxPrinter *p, const PtxStatement *s, const PtxMatch *m)
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
            ptx_print_target(p, &a->kid[i]);
            fprintf(p->out, " = ::cpudev::ptx::part<%d>(cpudev_t); ", i);
        }
        fputs("} ", p->out);
    } else {
        ptx_print_target(p, a);
        fputs(" = ::cpudev::ptx::part<0>(", p->out);
        print_call(p, s, m);
        fputs("); ", p->out);
    }
}

/* mov.b64 {lo, hi}, x and mov.b64 x, {lo, hi}: the function depends on how many parts there are. */
static void print_mov_parts(PtxPrinter *p, const PtxStatement *s, const PtxMatch *m)
{
    const bool pack = s->arg[1].kind == PTX_VECTOR;
    const PtxArg *parts = &s->arg[pack ? 1 : 0];
    if (pack) {
        ptx_print_target(p, &s->arg[0]);
        fprintf(p->out, " = ::cpudev::ptx::pack<::cpudev::ptx::%.*s>(", m->type[0].len, m->type[0].s);
        ptx_print_list(p, parts);
        fputs("); ", p->out);
        return;
    }
    fprintf(p->out, "{ const auto cpudev_t = ::cpudev::ptx::unpack<::cpudev::ptx::%.*s, %d>(", m->type[0].len,
            m->type[0].s, parts->n);
    ptx_print_value(p, &s->arg[1]);
    fputs("); ", p->out);
    for (int i = 0; i < parts->n; i++) {
        if (parts->kid[i].kind == PTX_SINK)
            continue;
        ptx_print_target(p, &parts->kid[i]);
        fprintf(p->out, " = ::cpudev::ptx::part<%d>(cpudev_t); ", i);
    }
    fputs("} ", p->out);
}

static bool print_branch(PtxPrinter *p, const PtxStatement *s)
{
    if (s->len < 3 || memcmp(s->name, "bra", 3) || (s->len > 3 && !ptx_is_word(s->name, s->len, "bra.uni")))
        return false;
    if (s->n != 1 || s->arg[0].kind != PTX_NAME)
        ptx_fail(p, "bra wants a label");
    else
        ptx_print_name(p, "goto cpudev_l_", s->arg[0].s, s->arg[0].len);
    fputs("; ", p->out);
    return true;
}

static void print_instruction(PtxPrinter *p, const PtxStatement *s)
{
    PtxMatch m;
    if (s->guard.s) {
        fputs("if (", p->out);
        ptx_print_value(p, &s->guard);
        fputs(") ", p->out);
    }
    fputs("{ ", p->out);
    if (!print_branch(p, s)) {
        char why[200];
        if (!ptx_match(s->name, s->len, &m, why, sizeof why)) {
            ptx_fail(p, "%s", why);
            return;
        }
        if (s->n < m.row->least || s->n > m.row->most) {
            ptx_fail(p, "the PTX instruction %.*s has %d operands here, not %d", s->len, s->name, s->n, m.row->least);
            return;
        }
        ptx_check(p, s, &m);
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
static void find_late(PtxPrinter *p)
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

static void print_bindings(PtxPrinter *p)
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
            ptx_fail(p, "an asm operand's constraint \"%c\" is not known", b->constraint);
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
    PtxPrinter p = {program, binding, bindings, open_memstream(&text, &size), 0, NULL, NULL};
    if (!p.out)
        return NULL;
    p.late = calloc((size_t)bindings + 1, sizeof *p.late);
    if (!p.late)
        abort();
    find_late(&p);
    fputs("do { ", p.out);
    ptx_print_block_start(&p, program->statement);
    if (uses_carry(program))
        fputs("::cpudev::ptx::carry = 0; ", p.out);
    print_bindings(&p);
    for (int i = 0; i < program->n && !program->error[0]; i++) {
        const PtxStatement *s = &program->statement[i];
        p.line = s->line;
        switch (s->kind) {
        case PTX_OPEN:
            fputs("{ ", p.out);
            ptx_print_block_start(&p, s + 1);
            break;
        case PTX_CLOSE: fputs("} ", p.out); break;
        case PTX_REG: break; /* at its block's beginning */
        case PTX_LABEL:
            ptx_print_name(&p, "cpudev_l_", s->name, s->len);
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
