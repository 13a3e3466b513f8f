/* words.c: what is known of the names that C++ and our headers give: a whitelist. A name that is not here, and that the
 * program does not define itself, is unknown: it may wait, ask for threadIdx, and change what it is given. */
#include "front/unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const Word specifiers[] = {W_GLOBAL,  W_DEVICE,        W_HOST,   W_FORCEINLINE, W_NOINLINE, W_CONSTANT,
                           W_MANAGED, W_GRID_CONSTANT, W_SHARED, W_NV_PURE,     W_NONE};
const Word takes_parens[] = {W_LAUNCH_BOUNDS, W_CLUSTER_DIMS,  W_BLOCK_SIZE,    W_MAXNREG,  W_ATTRIBUTE,
                             W_ALIGN,         W_BUILTIN_ALIGN, W_ALIGNAS,       W_DECLTYPE, W_NOEXCEPT,
                             W_EXPLICIT,      W_DECLSPEC,      W_LOCAL_MAXNREG, W_REQUIRES, W_NONE};

static const Word keyword_types[] = {W_VOID,    W_BOOL,     W_CHAR,     W_SHORT,  W_INT,
                                     W_LONG,    W_FLOAT,    W_DOUBLE,   W_SIGNED, W_UNSIGNED,
                                     W_WCHAR_T, W_CHAR16_T, W_CHAR32_T, W_INT128, W_NONE};

const char *const header_integers[] = {"size_t",    "ptrdiff_t", "ssize_t",  "int8_t",   "int16_t",  "int32_t",
                                       "int64_t",   "uint8_t",   "uint16_t", "uint32_t", "uint64_t", "intptr_t",
                                       "uintptr_t", "uint",      "ushort",   "uchar",    "ulong",    NULL};

/* Other types of the headers: scalars, and classes without constructors that do anything. */
static const char *const header_types[] = {"half",
                                           "__half",
                                           "half2",
                                           "__half2",
                                           "nv_bfloat16",
                                           "__nv_bfloat16",
                                           "nv_bfloat162",
                                           "__nv_bfloat162",
                                           "dim3",
                                           "cudaTextureObject_t",
                                           "cudaSurfaceObject_t",
                                           "curandState",
                                           "curandState_t",
                                           "curandStatePhilox4_32_10_t",
                                           "curandStateXORWOW_t",
                                           NULL};

static const Word qualifiers[] = {W_CONST,  W_STATIC,     W_CONSTEXPR, W_VOLATILE,     W_REGISTER, W_SHARED,   W_EXTERN,
                                  W_INLINE, W_RESTRICT__, W_RESTRICT_, W_THREAD_LOCAL, W_MUTABLE,  W_TYPENAME, W_NONE};

static const Word statement_words[] = {W_IF,
                                       W_ELSE,
                                       W_FOR,
                                       W_WHILE,
                                       W_DO,
                                       W_SWITCH,
                                       W_CASE,
                                       W_DEFAULT,
                                       W_RETURN,
                                       W_BREAK,
                                       W_CONTINUE,
                                       W_GOTO,
                                       W_TRY,
                                       W_CATCH,
                                       W_THROW,
                                       W_NEW,
                                       W_DELETE,
                                       W_SIZEOF,
                                       W_ALIGNOF,
                                       W_DECLTYPE,
                                       W_TYPEID,
                                       W_NOEXCEPT,
                                       W_OPERATOR,
                                       W_THIS,
                                       W_CO_AWAIT,
                                       W_CO_RETURN,
                                       W_CO_YIELD,
                                       W_STATIC_CAST,
                                       W_REINTERPRET_CAST,
                                       W_CONST_CAST,
                                       W_DYNAMIC_CAST,
                                       W_ASM,
                                       W_ASM__,
                                       W_ASM_,
                                       W_USING,
                                       W_TYPEDEF,
                                       W_STATIC_ASSERT,
                                       W_STRUCT,
                                       W_CLASS,
                                       W_UNION,
                                       W_ENUM,
                                       W_TEMPLATE,
                                       W_NAMESPACE,
                                       W_AUTO,
                                       W_AND_WORD,
                                       W_OR_WORD,
                                       W_NOT_WORD,
                                       W_XOR_WORD,
                                       W_BITAND,
                                       W_BITOR,
                                       W_COMPL,
                                       W_AND_EQ,
                                       W_OR_EQ,
                                       W_XOR_EQ,
                                       W_NOT_EQ,
                                       W_REQUIRES,
                                       W_FRIEND,
                                       W_PUBLIC,
                                       W_PRIVATE,
                                       W_PROTECTED,
                                       W_EXTENSION,
                                       W_NONE};

bool is_keyword_type(const Tokens *t, int i) { return ident(t, i) && in(t, keyword_types, i); }

/* float4, uchar2, ... */
static bool is_vector_type(const Tokens *t, int i)
{
    static const char *const of[] = {"char",  "uchar",    "short",     "ushort", "int",    "uint", "long",
                                     "ulong", "longlong", "ulonglong", "float",  "double", NULL};
    const Token *k = &t->t[i];
    if (k->len < 4 || k->s[k->len - 1] < '1' || k->s[k->len - 1] > '4')
        return false;
    for (int n = 0; of[n]; n++)
        if ((int)strlen(of[n]) == k->len - 1 && !memcmp(k->s, of[n], (size_t)k->len - 1))
            return true;
    return false;
}

bool is_type_word(const Tokens *t, int i)
{
    return ident(t, i) && (in(t, keyword_types, i) || named_in(t, header_integers, i) || named_in(t, header_types, i) ||
                           is_vector_type(t, i));
}
bool is_qualifier(const Tokens *t, int i) { return ident(t, i) && in(t, qualifiers, i); }
bool is_statement_word(const Tokens *t, int i) { return ident(t, i) && in(t, statement_words, i); }
