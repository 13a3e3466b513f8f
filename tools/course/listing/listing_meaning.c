/* listing_meaning.c: what an instruction of PTX or of machine code does, in a few words: the first pattern that it matches
 * says it. What is in no table is shown without a word. */
#include "listing.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

typedef struct Meaning {
    const char *pattern; /* an extended regular expression */
    const char *says;    /* %b is how many bytes; NULL: `of` says it */
    char *(*of)(const Listing *l, const char *text);
} Meaning;

/* Does the text match the extended regular expression? *at (may be NULL) is where. */
static int matches(const char *text, const char *pattern, regmatch_t *at)
{
    regex_t regex;
    regmatch_t found;
    if (regcomp(&regex, pattern, REG_EXTENDED))
        die(1, "listing: a pattern that cannot be compiled: %s", pattern);
    int yes = regexec(&regex, text, 1, &found, 0) == 0;
    regfree(&regex);
    if (yes && at)
        *at = found;
    return yes;
}

/* How many bytes an instruction moves, by its opcode. */
static int bytes_of(const char *instruction)
{
    char *opcode = text("%.*s", (int)strcspn(instruction, " "), instruction);
    int bytes = matches(opcode, "\\.(128|v4)", NULL)           ? 16
                : matches(opcode, "\\.(64|v2|[fubs]64)", NULL) ? 8
                : matches(opcode, "\\.[USus]8", NULL)          ? 1
                : matches(opcode, "\\.[USusb]16", NULL)        ? 2
                                                               : 4;
    free(opcode);
    return bytes;
}

/* A register that the hardware keeps: a thread's or a block's index or size. */
static char *special(const Listing *l, const char *instruction)
{
    static const struct {
        const char *pattern, *name;
    } registers[] = {{"SR_TID\\.|%tid\\.", "threadIdx"},
                     {"SR_CTAID\\.|%ctaid\\.", "blockIdx"},
                     {"%ntid\\.", "blockDim"},
                     {"%nctaid\\.", "gridDim"}};
    (void)l;
    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++)
        if (matches(instruction, registers[i].pattern, NULL)) {
            regmatch_t at;
            char axis =
                matches(instruction, "[iI][dD]\\.[XYZxyz]", &at) ? (char)tolower(instruction[at.rm_so + 3]) : '?';
            return text("%s.%c", registers[i].name, axis);
        }
    return copy("a register that the hardware keeps");
}

/* Where a launch's parameters begin in constant bank 0 depends on the generation. */
static long parameters_begin(int arch) { return arch >= 100 ? 0x380 : arch >= 90 ? 0x210 : 0x160; }

/* A load from constant bank 0: what a launch sets, parameters among it. */
static char *constant(const Listing *l, const char *instruction)
{
    static const struct {
        const char *at, *says;
    } known[] = {{"RZ", "blockDim.x"},
                 {"0x0", "blockDim.x"},
                 {"0x4", "blockDim.y"},
                 {"0xc", "gridDim.x"},
                 {"0x28", "the stack's beginning"}};
    regmatch_t found;
    if (!matches(instruction, "c\\[0x0\\]\\[[^]]*\\]", &found))
        return copy("from constant memory");
    char *at = text("%.*s", (int)(found.rm_eo - found.rm_so) - 8, instruction + found.rm_so + 7);
    const char *says = NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(at, known[i].at) == 0)
            says = known[i].says;
    long byte = strtol(at, NULL, 16), begin = parameters_begin(l->arch);
    free(at);
    if (says)
        return copy(says);
    if (byte >= begin)
        return text("a parameter, from byte %ld", byte - begin);
    return copy(byte >= 512 ? "how global memory is addressed" : "set by the launch");
}

/* MUFU.RCP: which function of the special function unit. */
static char *special_function(const Listing *l, const char *instruction)
{
    (void)l;
    char *says = text("the special function unit: %.*s", (int)strcspn(instruction + 5, " "), instruction + 5);
    for (char *p = says; *p; p++)
        *p = (char)tolower(*p);
    return says;
}

static const Meaning of_sass[] = {
    {"^HGMMA", "wgmma: a warpgroup's product on the tensor cores", NULL},
    {"^HMMA", "mma: a warp's product on the tensor cores", NULL},
    {"^WARPGROUP\\.ARRIVE", "wgmma.fence: registers are ready for wgmma", NULL},
    {"^WARPGROUP\\.DEPBAR", "wgmma.wait_group: until products are done", NULL},
    {"^WARPSYNC", "__syncwarp()", NULL},
    {"^UTMALDG", "TMA: fetch a tile into shared memory", NULL},
    {"^UTMASTG", "TMA: store a tile", NULL},
    {"^SYNCS.*TRYWAIT", "mbarrier: has its phase ended?", NULL},
    {"^SYNCS.*(ARRIVE|EXCH)", "mbarrier: arrive, or expect bytes", NULL},
    {"^ULDC|^LDC", NULL, constant},
    {"^S2UR|^S2R", NULL, special},
    {"^R2UR", "to a register of the whole warp", NULL},
    {"^(UMOV|MOV|CS2R|IMAD\\.MOV)", "a move", NULL},
    {"^(IMAD\\.SHL|USHF|SHF)", "a shift", NULL},
    {"^IMAD\\.IADD", "a + b", NULL},
    {"^IMAD\\.WIDE", "a * b + c, 64 bits", NULL},
    {"^IMAD\\.X", "the upper half, with carry", NULL},
    {"^IMAD", "a * b + c", NULL},
    {"^U?ISETP.*\\.EX", "and their upper halves", NULL},
    {"^U?ISETP", "compare integers, into a predicate", NULL},
    {"^FSETP", "compare floats, into a predicate", NULL},
    {"^U?P?PLOP3", "combine predicates", NULL},
    {"^U?LOP3", "and, or, xor of three", NULL},
    {"^U?IADD3.*\\.X|^U?IADD3\\.X|^LEA\\.HI\\.X", "the upper half, with carry", NULL},
    {"^U?IADD3", "a + b + c", NULL},
    {"^U?LEA", "base + (index << k)", NULL},
    {"^VIADD", "a + b", NULL},
    {"^LDGSTS", "cp.async: global to shared memory", NULL},
    {"^LDG", "load %b bytes of global memory", NULL},
    {"^STG", "store %b bytes to global memory", NULL},
    {"^LDS", "load %b bytes of shared memory", NULL},
    {"^STS", "store %b bytes to shared memory", NULL},
    {"^LDL", "load from local memory: a spill or an array", NULL},
    {"^STL", "store to local memory: a spill or an array", NULL},
    {"^RED|^ATOM", "an atomic operation", NULL},
    {"^SHFL", "__shfl_sync", NULL},
    {"^MUFU", NULL, special_function},
    {"^FADD", "a + b, fp32", NULL},
    {"^FMUL", "a * b, fp32", NULL},
    {"^FFMA", "a * b + c, fp32", NULL},
    {"^D(ADD|MUL|FMA)", "arithmetic in double", NULL},
    {"^BAR\\.SYNC", "__syncthreads()", NULL},
    {"^BRA", "jump", NULL},
    {"^(BSSY|BSYNC)", "where diverged lanes reconverge", NULL},
    {"^EXIT", "the thread is done", NULL},
    {NULL, NULL, NULL},
};

static const Meaning of_ptx[] = {
    {"%n?(tid|ctaid)\\.", NULL, special},
    {"^ld\\.param", "a parameter", NULL},
    {"^cvta", "a generic address, as one of global memory", NULL},
    {"^cvt", "a conversion", NULL},
    {"^mov", "a move", NULL},
    {"^setp", "compare, into a predicate", NULL},
    {"^bra", "jump", NULL},
    {"^shl", "index to bytes: a shift", NULL},
    {"^mad\\.wide|^mul\\.wide", "a * b, twice as wide", NULL},
    {"^(mad|fma)", "a * b + c", NULL},
    {"^ld\\.global", "load %b bytes of global memory", NULL},
    {"^ld\\.shared", "load %b bytes of shared memory", NULL},
    {"^st\\.global", "store %b bytes to global memory", NULL},
    {"^st\\.shared", "store %b bytes to shared memory", NULL},
    {"^add", "a + b", NULL},
    {"^mul", "a * b", NULL},
    {"^bar\\.sync", "__syncthreads()", NULL},
    {"^wgmma\\.mma", "a warpgroup's product on the tensor cores", NULL},
    {"^wgmma\\.fence", "registers are ready for wgmma", NULL},
    {"^wgmma\\.commit", "the products so far are a group", NULL},
    {"^wgmma\\.wait", "until groups are done", NULL},
    {"^mbarrier", "a barrier in shared memory that counts bytes, too", NULL},
    {"^cp\\.async\\.bulk", "TMA: fetch a tile into shared memory", NULL},
    {"^ret", "the thread is done", NULL},
    {NULL, NULL, NULL},
};

char *listing_meaning(const Listing *l, const char *instruction)
{
    regmatch_t at;
    int guard = matches(instruction, "^@!?%?U?P?p?[0-9]+ ", &at) ? (int)at.rm_eo : 0;
    const char *bare = instruction + guard;
    const Meaning *m = l->mode == LISTING_PTX ? of_ptx : of_sass;
    while (m->pattern && !matches(bare, m->pattern, NULL))
        m++;
    if (!m->pattern)
        return NULL;
    const char *hole = m->says ? strstr(m->says, "%b") : NULL;
    char *says = !m->says ? m->of(l, bare)
                 : hole   ? text("%.*s%d%s", (int)(hole - m->says), m->says, bytes_of(bare), hole + 2)
                          : copy(m->says);
    if (!guard)
        return says;
    int negated = instruction[1] == '!';
    int length = guard - 2 - negated;
    const char *predicate = instruction + 1 + negated;
    char *guarded = negated ? text("%s, if %.*s is false", says, length, predicate)
                            : text("%s, if %.*s is true", says, length, predicate);
    free(says);
    return guarded;
}
