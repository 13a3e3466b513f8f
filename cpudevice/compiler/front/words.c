/* words.c: what is known of the names that C++ and our headers give: a whitelist. A name that is not here, and that the
 * program does not define itself, is unknown: it may wait, ask for threadIdx, and change what it is given. */
#include "front/unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const specifiers[] = {"__global__",   "__device__",   "__host__",    "__forceinline__",
                                  "__noinline__", "__constant__", "__managed__", "__grid_constant__",
                                  "__shared__",   "__nv_pure__",  NULL};
const char *const takes_parens[] = {
    "__launch_bounds__", "__cluster_dims__",  "__block_size__",    "__maxnreg__", "__attribute__",
    "__align__",         "__builtin_align__", "alignas",           "decltype",    "noexcept",
    "explicit",          "__declspec",        "__local_maxnreg__", "requires",    NULL};

static const char *const keyword_types[] = {"void",    "bool",     "char",     "short",    "int",
                                            "long",    "float",    "double",   "signed",   "unsigned",
                                            "wchar_t", "char16_t", "char32_t", "__int128", NULL};

/* Types of the headers: scalars, and classes without constructors that do anything. */
static const char *const header_types[] = {"size_t",
                                           "ptrdiff_t",
                                           "ssize_t",
                                           "int8_t",
                                           "int16_t",
                                           "int32_t",
                                           "int64_t",
                                           "uint8_t",
                                           "uint16_t",
                                           "uint32_t",
                                           "uint64_t",
                                           "intptr_t",
                                           "uintptr_t",
                                           "uint",
                                           "ushort",
                                           "uchar",
                                           "ulong",
                                           "half",
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

static const char *const qualifiers[] = {
    "const",  "static",       "constexpr",  "volatile",     "register", "__shared__", "extern",
    "inline", "__restrict__", "__restrict", "thread_local", "mutable",  "typename",   NULL};

static const char *const statement_words[] = {"if",
                                              "else",
                                              "for",
                                              "while",
                                              "do",
                                              "switch",
                                              "case",
                                              "default",
                                              "return",
                                              "break",
                                              "continue",
                                              "goto",
                                              "try",
                                              "catch",
                                              "throw",
                                              "new",
                                              "delete",
                                              "sizeof",
                                              "alignof",
                                              "decltype",
                                              "typeid",
                                              "noexcept",
                                              "operator",
                                              "this",
                                              "co_await",
                                              "co_return",
                                              "co_yield",
                                              "static_cast",
                                              "reinterpret_cast",
                                              "const_cast",
                                              "dynamic_cast",
                                              "asm",
                                              "__asm__",
                                              "__asm",
                                              "using",
                                              "typedef",
                                              "static_assert",
                                              "struct",
                                              "class",
                                              "union",
                                              "enum",
                                              "template",
                                              "namespace",
                                              "auto",
                                              "and",
                                              "or",
                                              "not",
                                              "xor",
                                              "bitand",
                                              "bitor",
                                              "compl",
                                              "and_eq",
                                              "or_eq",
                                              "xor_eq",
                                              "not_eq",
                                              "requires",
                                              "friend",
                                              "public",
                                              "private",
                                              "protected",
                                              "__extension__",
                                              NULL};

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
    return ident(t, i) && (in(t, keyword_types, i) || in(t, header_types, i) || is_vector_type(t, i));
}
bool is_qualifier(const Tokens *t, int i) { return ident(t, i) && in(t, qualifiers, i); }
bool is_statement_word(const Tokens *t, int i) { return ident(t, i) && in(t, statement_words, i); }
