/*
 * vector_types.h: CUDA's vector types (char1 ... double4) and dim3, with CUDA's sizes and alignments, for C and C++.
 *
 * A GPU reads or writes a float4 by one 16-byte access. In a checking build (thread-sanitizer instrumentation) the
 * assignment operators below keep it one access: they copy through one scalar or vector of the type's whole size.
 * Without them the compiler stores member by member, and one store is seen as four. Reads need -fno-tree-sra for the
 * same reason, which `cucc --check` gives. In an ordinary build the types are plain aggregates, as in CUDA's header.
 */
/* It takes macros that stand for whole declarations, without semicolons, for parts of one: */
/* clang-format off */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#ifndef __SANITIZE_THREAD__
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CPUDEV_WHOLE_ASSIGN 1
#endif
#endif
#else
#define CPUDEV_WHOLE_ASSIGN 1
#endif

#if defined(__cplusplus) && defined(CPUDEV_WHOLE_ASSIGN)
/* The copy constructors stay implicit, so that the types stay aggregates that unions may hold. */
#pragma GCC diagnostic ignored "-Wdeprecated-copy"
namespace cpudev {
typedef unsigned char whole1 __attribute__((may_alias));
typedef unsigned short whole2 __attribute__((may_alias));
typedef unsigned int whole4 __attribute__((may_alias));
typedef unsigned long long whole8 __attribute__((may_alias));
typedef unsigned long long whole16 __attribute__((vector_size(16), may_alias));
}
/* `unit` is the access a GPU makes for this type; a type of two units is copied by two. */
#define CPUDEV_ASSIGN(name, unit)                                       \
    __attribute__((always_inline)) name &operator=(const name &o)       \
    {                                                                   \
        const cpudev::unit *from = (const cpudev::unit *)(const void *)&o; \
        cpudev::unit *to = (cpudev::unit *)(void *)this;                \
        for (unsigned i = 0; i < sizeof(name) / sizeof(cpudev::unit); i++) \
            to[i] = from[i];                                            \
        return *this;                                                   \
    }
#else
#define CPUDEV_ASSIGN(name, unit)
#endif

/* One family of four: element type, and for each width its alignment and the unit of its copies. */
#define CPUDEV_VECTORS(base, type, size1, unit1, size2, unit2, size4, unit4)                                  \
    struct base##1 { type x; CPUDEV_ASSIGN(base##1, unit1) };                                                 \
    struct __attribute__((aligned(size2))) base##2 { type x, y; CPUDEV_ASSIGN(base##2, unit2) };              \
    struct base##3 { type x, y, z; CPUDEV_ASSIGN(base##3, unit1) };                                           \
    struct __attribute__((aligned(size4))) base##4 { type x, y, z, w; CPUDEV_ASSIGN(base##4, unit4) };        \
    typedef struct base##1 base##1;                                                                           \
    typedef struct base##2 base##2;                                                                           \
    typedef struct base##3 base##3;                                                                           \
    typedef struct base##4 base##4;

CPUDEV_VECTORS(char, signed char, 1, whole1, 2, whole2, 4, whole4)
CPUDEV_VECTORS(uchar, unsigned char, 1, whole1, 2, whole2, 4, whole4)
CPUDEV_VECTORS(short, short, 2, whole2, 4, whole4, 8, whole8)
CPUDEV_VECTORS(ushort, unsigned short, 2, whole2, 4, whole4, 8, whole8)
CPUDEV_VECTORS(int, int, 4, whole4, 8, whole8, 16, whole16)
CPUDEV_VECTORS(uint, unsigned int, 4, whole4, 8, whole8, 16, whole16)
CPUDEV_VECTORS(long, long int, 8, whole8, 16, whole16, 16, whole16)
CPUDEV_VECTORS(ulong, unsigned long int, 8, whole8, 16, whole16, 16, whole16)
CPUDEV_VECTORS(longlong, long long int, 8, whole8, 16, whole16, 16, whole16)
CPUDEV_VECTORS(ulonglong, unsigned long long int, 8, whole8, 16, whole16, 16, whole16)
CPUDEV_VECTORS(float, float, 4, whole4, 8, whole8, 16, whole16)
CPUDEV_VECTORS(double, double, 8, whole8, 16, whole16, 16, whole16)

/* CUDA 13 also names the four-element 64-bit types by their alignment. */
#define CPUDEV_ALIGNED4(base, type)                                                                           \
    struct __attribute__((aligned(16))) base##4_16a { type x, y, z, w; CPUDEV_ASSIGN(base##4_16a, whole16) }; \
    struct __attribute__((aligned(32))) base##4_32a { type x, y, z, w; CPUDEV_ASSIGN(base##4_32a, whole16) }; \
    typedef struct base##4_16a base##4_16a;                                                                   \
    typedef struct base##4_32a base##4_32a;

CPUDEV_ALIGNED4(long, long int)
CPUDEV_ALIGNED4(ulong, unsigned long int)
CPUDEV_ALIGNED4(longlong, long long int)
CPUDEV_ALIGNED4(ulonglong, unsigned long long int)
CPUDEV_ALIGNED4(double, double)

#undef CPUDEV_VECTORS
#undef CPUDEV_ALIGNED4

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
