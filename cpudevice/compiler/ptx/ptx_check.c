/* ptx_check.c: what ptxas refuses and the functions would take: registers and operands of the asm statement that do not fit the
 * instruction's type, and arithmetic without the rounding that it has no default for. Source: PTX ISA, Operand Type Checking;
 * Floating Point Instructions; and ptxas, whose answers cpudevice/tests/ptx/unsupported/forms.txt has. */
#include "ptx/ptx_printer.h"

#include <stdlib.h>
#include <string.h>

/* Untyped bits fit any type of their size; numbers in halves of a word (f16x2) want untyped bits. */
typedef enum { K_UNKNOWN, K_BITS, K_INTEGER, K_FLOAT, K_HALVES } Kind;
typedef struct {
    Kind kind;
    int bits;
} Type;

static const Type unknown = {K_UNKNOWN, 0}, word = {K_INTEGER, 32};

static bool has_modifier(const PtxMatch *m, const char *name)
{
    for (int i = 0; i < m->modifiers; i++)
        if (ptx_is_word(m->modifier[i].s, m->modifier[i].len, name))
            return true;
    return false;
}

/* u32, f64, bf16x2, ...; unknown: pred, and the 8-bit types that come in pairs */
static Type type_named(const char *s, int len)
{
    const int letters = (int)strcspn(s, "0123456789");
    const int bits = letters < len ? atoi(s + letters) : 0;
    if (ptx_is_word(s, len, "tf32"))
        return (Type){K_HALVES, 32};
    if (!bits || bits < 8 || letters > 2)
        return unknown;
    const bool pair = memchr(s, 'x', (size_t)len) != NULL, is_float = s[letters - 1] == 'f';
    if (pair)
        return (Type){is_float ? K_HALVES : K_INTEGER, 2 * bits};
    return (Type){is_float ? K_FLOAT : *s == 'b' ? K_BITS : K_INTEGER, bits};
}

static Type type_of(const PtxMatch *m, int i)
{
    return i < m->types ? type_named(m->type[i].s, m->type[i].len) : unknown;
}

static Type special_register(const PtxArg *a)
{
    if (*a->s != '%' || !ptx_special_register(a->s + 1, a->len - 1))
        return unknown;
    return ptx_is_word(a->s, a->len, "%clock64") || ptx_is_word(a->s, a->len, "%globaltimer") ? (Type){K_INTEGER, 64}
                                                                                              : (Type){K_INTEGER, 32};
}

/* Of an operand: what it holds. */
static Type held(const PtxPrinter *p, const PtxArg *a)
{
    if (a->kind == PTX_NAME) {
        const PtxStatement *r = ptx_register(p, a->s, a->len);
        const Type t = r ? type_named(r->type, r->type_len) : special_register(a);
        return t.kind == K_HALVES ? (Type){K_BITS, t.bits} : t;
    }
    if (a->kind != PTX_OPERAND || a->index >= p->bindings)
        return unknown;
    switch (p->binding[a->index].constraint) {
    case 'h': return (Type){K_BITS, 16};
    case 'r': return (Type){K_BITS, 32};
    case 'l': return (Type){K_BITS, 64};
    case 'q': return (Type){K_BITS, 128};
    case 'f': return (Type){K_FLOAT, 32};
    case 'd': return (Type){K_FLOAT, 64};
    default: return unknown;
    }
}

/* wider: a register may have more bits than the type, as those of loads, stores and conversions. */
static bool fits(Type has, Type wants, bool wider)
{
    if (!has.kind || !wants.kind)
        return true;
    if (has.kind == K_FLOAT && (wants.kind == K_INTEGER || wants.kind == K_HALVES))
        return false;
    if (has.kind == K_INTEGER && (wants.kind == K_FLOAT || wants.kind == K_HALVES))
        return false;
    return has.bits == wants.bits ||
           (wider && has.bits > wants.bits && !(has.kind == K_FLOAT && wants.kind == K_FLOAT));
}

/* What each operand is: T of the first type, U of the second, W twice as wide as the first, 4 a word of 32 bits; R of the first
 * type, and C of the first and V of the second, or wider; - any. */
static const struct {
    const char *opcode, *operands;
} roles[] = {
    {"mov", "TT"},
    {"add", "TTT"},
    {"sub", "TTT"},
    {"mul", "TTT"},
    {"mad", "TTTT"},
    {"mul24", "TTT"},
    {"mad24", "TTTT"},
    {"sad", "TTTT"},
    {"div", "TTT"},
    {"rem", "TTT"},
    {"abs", "TT"},
    {"neg", "TT"},
    {"min", "TTTT"},
    {"max", "TTTT"},
    {"popc", "4T"},
    {"clz", "4T"},
    {"bfind", "4T"},
    {"brev", "TT"},
    {"bfe", "TT44"},
    {"bfi", "TTT44"},
    {"bmsk", "TTT"},
    {"dp4a", "4444"},
    {"dp2a", "4444"},
    {"add.cc", "TTT"},
    {"addc", "TTT"},
    {"sub.cc", "TTT"},
    {"subc", "TTT"},
    {"mad.lo.cc", "TTTT"},
    {"mad.hi.cc", "TTTT"},
    {"madc.lo", "TTTT"},
    {"madc.hi", "TTTT"},
    {"testp", "-T"},
    {"copysign", "TTT"},
    {"fma", "TTTT"},
    {"rcp", "TT"},
    {"sqrt", "TT"},
    {"rsqrt", "TT"},
    {"sin", "TT"},
    {"cos", "TT"},
    {"lg2", "TT"},
    {"ex2", "TT"},
    {"tanh", "TT"},
    {"set", "TUU"},
    {"setp", "-TT"},
    {"selp", "TTT"},
    {"slct", "TTTU"},
    {"and", "TTT"},
    {"or", "TTT"},
    {"xor", "TTT"},
    {"not", "TT"},
    {"cnot", "TT"},
    {"lop3", "TTTT"},
    {"shf.l", "TTT4"},
    {"shf.r", "TTT4"},
    {"shl", "TT4"},
    {"shr", "TT4"},
    {"prmt", "TTTT"},
    {"shfl.sync", "TT444"},
    {"ld", "R"},
    {"ldu", "R"},
    {"st", "-R"},
    {"cvta", "TT"},
    {"cvt", "CVV"},
    {"atom", "T-T"},
    {"red", "-T"},
    {"vote", "T"},
    {"match.any.sync", "4T4"},
    {"activemask", "T"},
    {"redux.sync", "TT4"},
    {"elect.sync", "-4"},
};

static const char *operands_of(const PtxMatch *m)
{
    const char *opcode = m->row->opcode;
    if (has_modifier(m, "wide"))
        return !strcmp(opcode, "mul") ? "WTT" : "WTTW";
    if (!strcmp(opcode, "atom") && has_modifier(m, "cas"))
        return "T-TT";
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (!strcmp(roles[i].opcode, opcode))
            return roles[i].operands;
    return "";
}

/* ptxas names the instruction with how it multiplies, and without what all its kind have: mul.lo, cvta.to, shfl. */
static void mismatch(PtxPrinter *p, const PtxMatch *m)
{
    static const char *const ways[] = {"lo", "hi", "wide", "to", NULL};
    const char *opcode = m->row->opcode, *end = opcode + strlen(opcode), *way = NULL;
    const char *const tails[] = {".cc", ".sync", ".any"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        if ((size_t)(end - opcode) > strlen(tails[i]) && !strncmp(end - strlen(tails[i]), tails[i], strlen(tails[i])))
            end -= strlen(tails[i]);
    for (int i = 0; ways[i] && !way; i++)
        way = has_modifier(m, ways[i]) ? ways[i] : NULL;
    ptx_fail(p, "Arguments mismatch for instruction '%.*s%s%s'", (int)(end - opcode), opcode, way ? "." : "",
             way ? way : "");
}

/* The elements of a vector are equally wide. Returns their bits together, -1 if those of one are not known. */
static int check_elements(PtxPrinter *p, const PtxArg *vector)
{
    int bits = 0;
    for (int i = 0; i < vector->n; i++) {
        const Type part = held(p, &vector->kid[i]), before = i ? held(p, &vector->kid[i - 1]) : unknown;
        if (part.bits && before.bits && part.bits != before.bits)
            ptx_fail(p, "Incompatible elements of vector expression");
        bits = !part.bits || bits < 0 ? -1 : bits + part.bits;
    }
    return bits;
}

static void check_operand(PtxPrinter *p, const PtxArg *a, char role, const PtxMatch *m)
{
    const Type first = type_of(m, 0), second = type_of(m, 1);
    const Type wants = role == '4'                  ? word
                       : role == 'U' || role == 'V' ? second
                       : role == 'W'                ? (Type){first.kind, 2 * first.bits}
                       : role == '-'                ? unknown
                                                    : first;
    if (a->kind == PTX_VECTOR)
        check_elements(p, a);
    for (int i = 0; a->kind == PTX_VECTOR && i < a->n; i++)
        check_operand(p, &a->kid[i], role, m);
    if (a->kind == PTX_PAIR)
        check_operand(p, &a->kid[0], role, m);
    const bool no_float = a->kind == PTX_INTEGER && wants.kind == K_FLOAT;
    if (no_float || !fits(held(p, a), wants, role == 'R' || role == 'C' || role == 'V'))
        mismatch(p, m);
}

/* mov.b64 {a, b}, c */
static void check_parts(PtxPrinter *p, const PtxArg *vector, const PtxArg *whole, const PtxMatch *m)
{
    const Type all = type_of(m, 0);
    const int bits = check_elements(p, vector);
    if (all.kind != K_BITS || !fits(held(p, whole), all, false) || (bits > 0 && bits != all.bits))
        mismatch(p, m);
}

static void check_types(PtxPrinter *p, const PtxStatement *s, const PtxMatch *m)
{
    const char *operands = operands_of(m);
    if (!strcmp(m->row->opcode, "mov")) {
        if (s->arg[0].kind == PTX_VECTOR || s->arg[1].kind == PTX_VECTOR) {
            const bool pack = s->arg[1].kind == PTX_VECTOR;
            check_parts(p, &s->arg[pack], &s->arg[!pack], m);
            return;
        }
        if (type_of(m, 0).bits == 16 && s->arg[1].kind == PTX_NAME && *s->arg[1].s == '%')
            operands = "T"; /* a special register's low half */
    }
    for (int i = 0; i < s->n && operands[i]; i++)
        check_operand(p, &s->arg[i], operands[i], m);
}

static bool listed(const char *const *list, const char *opcode)
{
    for (; *list; list++)
        if (!strcmp(*list, opcode))
            return true;
    return false;
}

/* Does a conversion round, so that it has to say how? */
static bool conversion_rounds(Type to, Type from)
{
    if (!to.kind || !from.kind)
        return false;
    const bool to_float = to.kind == K_FLOAT || to.kind == K_HALVES, from_float = from.kind == K_FLOAT;
    if (to_float != from_float)
        return from.kind != K_HALVES;
    return to_float && (from.bits > to.bits || to.kind == K_HALVES);
}

static void check_rounding(PtxPrinter *p, const PtxMatch *m)
{
    static const char *const rounded[] = {"fma", "mad", "div", "rcp", "sqrt", NULL},
                             *const approximate[] = {"rsqrt", "ex2", "lg2", "sin", "cos", "tanh", NULL},
                             *const ways[] = {"rn",  "rz",  "rm",  "rp",     "rna", "rni",
                                              "rzi", "rmi", "rpi", "approx", "full"};
    const char *opcode = m->row->opcode;
    const Type type = type_of(m, 0), from = type_of(m, 1);
    const bool to_integer = !strcmp(opcode, "cvt") && type.kind == K_INTEGER && from.kind == K_FLOAT;
    if (to_integer &&
        (has_modifier(m, "rn") || has_modifier(m, "rz") || has_modifier(m, "rm") || has_modifier(m, "rp")))
        ptx_fail(p, "Illegal rounding modifier for instruction 'cvt'");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (has_modifier(m, ways[i]))
            return;
    if (listed(approximate, opcode))
        ptx_fail(p, ".approx modifier required for instruction '%s'", opcode);
    else if (!strcmp(opcode, "cvt") ? conversion_rounds(type, from)
                                    : listed(rounded, opcode) && (type.kind == K_FLOAT || type.kind == K_HALVES)) {
        const bool either =
            !strcmp(opcode, "rcp") || (type.bits == 32 && (!strcmp(opcode, "div") || !strcmp(opcode, "sqrt")));
        ptx_fail(p, "Rounding modifier %srequired for instruction '%s'", either ? "or '.approx' modifier " : "",
                 opcode);
    }
}

void ptx_check(PtxPrinter *p, const PtxStatement *s, const PtxMatch *m)
{
    check_types(p, s, m);
    check_rounding(p, m);
}
