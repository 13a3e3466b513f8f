/* words.c: what is known of the names that C++ and our headers give: a whitelist. A name that is not here, and that the
 * program does not define itself, is unknown: it may wait, ask for threadIdx, and change what it is given. */
#include "unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const specifiers[] = {"__global__",  "__device__",           "__host__",   "__forceinline__", "__noinline__",
                                  "__constant__", "__managed__", "__grid_constant__", "__shared__", "__nv_pure__", NULL};
const char *const takes_parens[] = {"__launch_bounds__", "__cluster_dims__", "__block_size__", "__maxnreg__", "__attribute__", "__align__",
                                    "__builtin_align__", "alignas", "decltype", "noexcept", "explicit", "__declspec",
                                    "__local_maxnreg__", "requires", NULL};

static const char *const keyword_types[] = {"void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
                                            "wchar_t", "char16_t", "char32_t", "__int128", NULL};

/* Types of the headers: scalars, and classes without constructors that do anything. */
static const char *const header_types[] = {
    "size_t", "ptrdiff_t", "ssize_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    "intptr_t", "uintptr_t", "uint", "ushort", "uchar", "ulong", "half", "__half", "half2", "__half2", "nv_bfloat16", "__nv_bfloat16",
    "nv_bfloat162", "__nv_bfloat162", "dim3", "cudaTextureObject_t", "cudaSurfaceObject_t", "curandState", "curandState_t",
    "curandStatePhilox4_32_10_t", "curandStateXORWOW_t", NULL};

static const char *const qualifiers[] = {"const", "static", "constexpr", "volatile", "register", "__shared__", "extern", "inline",
                                         "__restrict__", "__restrict", "thread_local", "mutable", "typename", NULL};

static const char *const statement_words[] = {
    "if", "else", "for", "while", "do", "switch", "case", "default", "return", "break", "continue", "goto", "try", "catch", "throw",
    "new", "delete", "sizeof", "alignof", "decltype", "typeid", "noexcept", "operator", "this", "co_await", "co_return", "co_yield",
    "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast", "asm", "__asm__", "__asm", "using", "typedef", "static_assert",
    "struct", "class", "union", "enum", "template", "namespace", "auto", "and", "or", "not", "xor", "bitand", "bitor", "compl",
    "and_eq", "or_eq", "xor_eq", "not_eq", "requires", "friend", "public", "private", "protected", "__extension__", NULL};

/* Functions whose value depends on their arguments alone, which they take by value. */
static const char *const arithmetic[] = {
    "min", "max", "fmin", "fmax", "fminf", "fmaxf", "abs", "fabs", "fabsf", "labs", "llabs", "sqrt", "sqrtf", "rsqrt", "rsqrtf", "cbrt",
    "cbrtf", "exp", "expf", "exp2", "exp2f", "exp10", "exp10f", "expm1", "expm1f", "log", "logf", "log2", "log2f", "log10", "log10f",
    "log1p", "log1pf", "pow", "powf", "sin", "sinf", "cos", "cosf", "tan", "tanf", "asin", "asinf", "acos", "acosf", "atan", "atanf",
    "atan2", "atan2f", "sinh", "sinhf", "cosh", "coshf", "tanh", "tanhf", "erf", "erff", "erfc", "erfcf", "floor", "floorf", "ceil",
    "ceilf", "round", "roundf", "rint", "rintf", "trunc", "truncf", "fma", "fmaf", "fmod", "fmodf", "hypot", "hypotf", "copysign",
    "copysignf", "isnan", "isinf", "isfinite", "signbit", "ldexp", "ldexpf", "tgammaf", "lgammaf", "normcdff", "__expf", "__exp10f",
    "__logf", "__log2f", "__log10f", "__powf", "__sinf", "__cosf", "__tanf", "__fdividef", "__fmaf_rn", "__fadd_rn", "__fmul_rn",
    "__fsub_rn", "__fdiv_rn", "__frcp_rn", "__fsqrt_rn", "__frsqrt_rn", "__saturatef", "__mul24", "__umul24", "__mulhi", "__umulhi",
    "__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__brev", "__brevll", "__byte_perm", "__float_as_int",
    "__int_as_float", "__float_as_uint", "__uint_as_float", "__float2int_rn", "__float2int_rz", "__float2int_rd", "__float2int_ru",
    "__int2float_rn", "__double_as_longlong", "__longlong_as_double", "__float2half", "__half2float", "__float2half_rn",
    "__float2bfloat16", "__float2bfloat16_rn", "__bfloat162float", "__half22float2", "__float22half2_rn", "__bfloat1622float2",
    "__float22bfloat162_rn", "__floats2half2_rn", "__floats2bfloat162_rn", "__hadd", "__hmul", "__hfma", "make_float2", "make_float3",
    "make_float4", "make_int2", "make_int3", "make_int4", "make_uint2", "make_uint3", "make_uint4", "make_double2", "make_uchar3",
    "make_uchar4", "make_char4", "make_short2", "make_short4", "make_ushort4", "__builtin_expect", "__builtin_assume_aligned", "__builtin_inff", "__builtin_inf", "__builtin_nanf", "__builtin_nan", "__builtin_huge_valf", "__builtin_huge_val",
    "__hadd2", "__hmul2", "__hfma2", "__low2float", "__high2float", "__float2half2_rn", "__half2half2", "__low2half", "__high2half", "__halves2half2",
    "__float2bfloat162_rn", "__halves2bfloat162", "__low2bfloat16", "__high2bfloat16", "make_half2", "make_bfloat162", "__hsub", "__hdiv", "__hneg", "__hmax", "__hmin", "__funnelshift_l", "__funnelshift_r", "__sad", "__usad", "__dp4a", "erfinvf", "normcdf", "__float2uint_rn", "__float2uint_rz", "__uint2float_rn", NULL};

/* Functions that neither wait for other threads nor ask which thread they run on, but read or write memory. */
static const char *const pure[] = {
    "__ldg", "__ldcs", "__ldcg", "__ldca", "__stcs", "__stcg", "__stwt", "__stwb", "sincosf", "sincos", "printf", "__builtin_unreachable",
    "__builtin_assume", "__assume", "curand_init", "curand", "curand4", "curand_uniform", "curand_uniform2_double", "curand_uniform4",
    "curand_uniform_double", "curand_normal", "curand_normal2", "curand_normal4", "curand_normal_double", "curand_log_normal",
    "curand_poisson", "skipahead", "tex1Dfetch", "tex1D", "tex2D", "tex3D", "tex1DLayered", "tex2DLayered", "texCubemap",
    "texCubemapLayered", "tex1DLod", "tex2DLod", "tex3DLod", "surf1Dread", "surf1Dwrite", "surf2Dread", "surf2Dwrite", "surf3Dread",
    "surf3Dwrite", "surf2DLayeredread", "surf2DLayeredwrite", "memcpy", "memset", "memmove", NULL};

static const char *const atomics[] = {"atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor",
                                      "atomicInc", "atomicDec", NULL};

bool is_keyword_type(const Tokens *t, int i) { return ident(t, i) && in(t, keyword_types, i); }

/* float4, uchar2, ... */
static bool is_vector_type(const Tokens *t, int i)
{
    static const char *const of[] = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double", NULL};
    const Token *k = &t->t[i];
    if (k->len < 4 || k->s[k->len - 1] < '1' || k->s[k->len - 1] > '4')
        return false;
    for (int n = 0; of[n]; n++)
        if ((int)strlen(of[n]) == k->len - 1 && !memcmp(k->s, of[n], (size_t)k->len - 1))
            return true;
    return false;
}

bool is_type_word(const Tokens *t, int i) { return ident(t, i) && (in(t, keyword_types, i) || in(t, header_types, i) || is_vector_type(t, i)); }
bool is_qualifier(const Tokens *t, int i) { return ident(t, i) && in(t, qualifiers, i); }
bool is_statement_word(const Tokens *t, int i) { return ident(t, i) && in(t, statement_words, i); }
bool is_atomic_name(const Tokens *t, int i) { return ident(t, i) && in(t, atomics, i); }

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The lists are looked through often: once sorted. */
static bool listed(const Tokens *t, int i, const char *const *list, size_t n, const char ***sorted)
{
    char word[64];
    const char *key = word;
    if (t->t[i].kind != T_ID || t->t[i].len >= (int)sizeof word)
        return false;
    if (!*sorted) {
        *sorted = must(malloc(n * sizeof **sorted));
        memcpy(*sorted, list, n * sizeof **sorted);
        qsort(*sorted, n, sizeof **sorted, by_name);
    }
    memcpy(word, t->t[i].s, (size_t)t->t[i].len);
    word[t->t[i].len] = 0;
    return bsearch(&key, *sorted, n, sizeof **sorted, by_name) != NULL;
}

bool is_arithmetic_name(const Tokens *t, int i)
{
    static const char **sorted;
    return listed(t, i, arithmetic, sizeof arithmetic / sizeof *arithmetic - 1, &sorted);
}

bool is_pure_name(const Tokens *t, int i)
{
    static const char **sorted;
    return is_arithmetic_name(t, i) || listed(t, i, pure, sizeof pure / sizeof *pure - 1, &sorted);
}
