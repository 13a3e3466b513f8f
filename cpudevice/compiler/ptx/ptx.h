/* ptx.h: inline PTX, from the text of an asm statement to C++ that calls functions named after the instructions.
 *
 *   ptx_parse   (ptx_parse.c)  text -> statements: labels, .reg declarations, blocks, instructions with their operands
 *   ptx_table   (ptx_table.c)  a row an instruction: which types and modifiers it takes, which function it becomes
 *   ptx_match   (ptx_match.c)  an instruction as written -> its row
 *   ptx_print   (ptx_print.c)  statements -> C++; operands and registers in ptx_operands.c
 *
 * Registers are kept as raw bits (uint16_t, uint32_t, uint64_t, unsigned __int128; bool for predicates), as PTX keeps
 * them: the instruction's type says what the bits mean. The functions are in include/ptx/; PTX ISA 9.0 is followed. */
#ifndef CUCC_PTX_H
#define CUCC_PTX_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    PTX_NAME,    /* a register, label or special register (%tid.x) */
    PTX_OPERAND, /* %0, %1, ...: operand of the asm statement */
    PTX_INTEGER, /* 12, 0x1f, -3 */
    PTX_FLOAT,   /* 1.5, 0f3F800000, 0d... */
    PTX_ADDRESS, /* [base], [base + offset], [map, {x, y}] */
    PTX_VECTOR,  /* {a, b} */
    PTX_PAIR,    /* p|q */
    PTX_SINK     /* _ */
} PtxArgKind;

typedef struct PtxArg {
    PtxArgKind kind;
    const char *s; /* the text of a name or literal, and its length */
    int len;
    int index;    /* PTX_OPERAND */
    bool negated; /* !p */
    bool minus;   /* -r: of an offset */
    struct PtxArg *kid;
    int n; /* elements of a vector, an address or a pair */
} PtxArg;

typedef enum { PTX_INSTRUCTION, PTX_LABEL, PTX_REG, PTX_OPEN, PTX_CLOSE } PtxKind;

typedef struct PtxStatement {
    PtxKind kind;
    PtxArg guard;     /* @p or @!p; guard.s is NULL without */
    const char *name; /* an instruction with its modifiers, or a label */
    int len;
    int line;    /* newlines before it in the text */
    PtxArg *arg; /* operands; of .reg the names */
    int n;
    const char *type; /* of .reg: "b32" */
    int type_len;
} PtxStatement;

typedef struct PtxProgram {
    char *text;
    PtxStatement *statement;
    int n;
    char error[256]; /* empty if the text was understood */
    int error_line;
} PtxProgram;

/* Parses `text` (of the asm statement: %N are operands, %% a percent sign). On an error program->error says why. */
void ptx_parse(PtxProgram *program, const char *text);
void ptx_free(PtxProgram *program);

/* ---- the table ---- */

typedef struct PtxRow {
    const char *opcode;      /* "add"; may have dots: "cp.async.bulk" */
    const char *types;       /* for each type that follows, in order, those allowed: "f32 f64; s32 u32" */
    const char *modifiers;   /* allowed ones */
    signed char results;     /* how many of the first operands are written; PTX_LATE: the first, by its address */
    signed char least, most; /* operands, results counted */
    const char *function;    /* in namespace ptx; NULL: opcode with dots as underscores */
    const char *section;     /* of the PTX ISA */
} PtxRow;

/* The instruction's results land in its first operand, a vector, when it is long over: the operands of the asm statement
 * that are there are bound to the program's variables themselves, and their addresses are passed. */
enum { PTX_LATE = -1 };

extern const PtxRow ptx_table[];
extern const int ptx_rows;

/* Whether %name is a special register that the CPU device has: ptx::sreg_NAME(), dots become underscores. */
bool ptx_special_register(const char *name, int len);

enum { PTX_TYPES = 4, PTX_MODIFIERS = 16 };
typedef struct PtxWord {
    const char *s;
    int len;
} PtxWord;
typedef struct PtxMatch {
    const PtxRow *row;
    PtxWord type[PTX_TYPES], modifier[PTX_MODIFIERS];
    int types, modifiers;
} PtxMatch;

/* The row of an instruction as written, with the longest opcode that fits. false: `why` says why there is none. */
bool ptx_match(const char *name, int len, PtxMatch *match, char *why, size_t size);

/* ---- printing ---- */

/* An operand of the asm statement, as the compiler found it. */
typedef struct PtxBinding {
    char constraint; /* 'h', 'r', 'l', 'f', 'd', 'q', 'n', 'C' */
    bool out, in;    /* "=r", "r", "+r" */
    char *expression;
} PtxBinding;

/* C++ for the program: a block statement without line breaks. NULL on an error, which program->error describes. */
char *ptx_print(PtxProgram *program, const PtxBinding *binding, int bindings);

#endif
