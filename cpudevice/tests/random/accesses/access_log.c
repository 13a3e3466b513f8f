/* access_log.c: stands between a program of random_accesses.c and the checker. The linker's --wrap gives it each call that
 * the compiler makes for an access; it notes the bytes in one of three tables and passes the call on. */
#include <stddef.h>
#include <stdint.h>

enum { LOGGED = 16384 };

/* Where the address of the bytes that are logged stands; nothing is logged while either is null. Host side. */
char *volatile *log_base;
unsigned char log_reads[LOGGED], log_writes[LOGGED], log_atomics[LOGGED];

static void note(unsigned char *log, const volatile void *p, size_t bytes)
{
    char *const base = log_base ? *log_base : NULL;
    for (uintptr_t i = (uintptr_t)p - (uintptr_t)base; base && bytes--; i++)
        if (i < LOGGED)
            log[i]++;
}

#define WRAP(type, name, parameters, arguments, ...)                                                                   \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        return __real_##name arguments;                                                                                \
    }
/* ISO C has no `return f();` in a void function. */
#define WRAP_VOID(name, parameters, arguments, ...)                                                                    \
    void __real_##name parameters;                                                                                     \
    void __wrap_##name parameters;                                                                                     \
    void __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        __real_##name arguments;                                                                                       \
    }

/* ---- loads and stores ---- */

#define PLAIN(prefix, bytes)                                                                                           \
    WRAP_VOID(__tsan_##prefix##read##bytes, (void *p), (p), note(log_reads, p, bytes))                                 \
    WRAP_VOID(__tsan_##prefix##write##bytes, (void *p), (p), note(log_writes, p, bytes))
#define PLAIN_SIZES(prefix) PLAIN(prefix, 1) PLAIN(prefix, 2) PLAIN(prefix, 4) PLAIN(prefix, 8) PLAIN(prefix, 16)
PLAIN_SIZES()
PLAIN_SIZES(unaligned_)
PLAIN_SIZES(volatile_)
PLAIN_SIZES(unaligned_volatile_)
WRAP_VOID(__tsan_read_range, (void *p, unsigned long n), (p, n), note(log_reads, p, n))
WRAP_VOID(__tsan_write_range, (void *p, unsigned long n), (p, n), note(log_writes, p, n))

/* ---- copies ---- */

#define COPY(name)                                                                                                     \
    WRAP(void *, name, (void *to, const void *from, size_t n), (to, from, n), note(log_reads, from, n),                \
         note(log_writes, to, n))
#define SET(name) WRAP(void *, name, (void *to, int c, size_t n), (to, c, n), note(log_writes, to, n))
COPY(cpudev_check_memcpy)
COPY(cpudev_check_memmove)
COPY(__tsan_memcpy)
COPY(__tsan_memmove)
SET(cpudev_check_memset)
SET(__tsan_memset)

/* ---- atomics: one each, whether they change the word or not ---- */

#define ATOMIC(bits, type, name)                                                                                       \
    WRAP(type, __tsan_atomic##bits##_##name, (volatile type * p, type v, int order), (p, v, order),                    \
         note(log_atomics, p, sizeof *p))
#define COMPARE(bits, type, name, result, by)                                                                          \
    WRAP(result, __tsan_atomic##bits##_compare_exchange_##name,                                                        \
         (volatile type * p, type by expected, type v, int order, int otherwise), (p, expected, v, order, otherwise),  \
         note(log_atomics, p, sizeof *p))
#define ATOMICS(bits, type)                                                                                            \
    ATOMIC(bits, type, exchange)                                                                                       \
    COMPARE(bits, type, strong, int, *)                                                                                \
    COMPARE(bits, type, val, type, )
#define MORE_ATOMICS(bits, type)                                                                                       \
    WRAP(type, __tsan_atomic##bits##_load, (const volatile type *p, int order), (p, order),                            \
         note(log_reads, p, sizeof *p))                                                                                \
    WRAP_VOID(__tsan_atomic##bits##_store, (volatile type * p, type v, int order), (p, v, order),                      \
              note(log_writes, p, sizeof *p))                                                                          \
    ATOMIC(bits, type, fetch_add)                                                                                      \
    ATOMIC(bits, type, fetch_sub)                                                                                      \
    ATOMIC(bits, type, fetch_and)                                                                                      \
    ATOMIC(bits, type, fetch_or)                                                                                       \
    ATOMIC(bits, type, fetch_xor)                                                                                      \
    ATOMIC(bits, type, fetch_nand)                                                                                     \
    COMPARE(bits, type, weak, int, *)
ATOMICS(8, uint8_t)
MORE_ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
MORE_ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
MORE_ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
MORE_ATOMICS(64, uint64_t)
ATOMICS(128, unsigned __int128)
WRAP(unsigned long long, cpudev_check_update_begin, (void *p, unsigned bytes, int order), (p, bytes, order),
     note(log_atomics, p, bytes))

/* ---- results of the math library ---- */

WRAP(double, cpudev_check_frexp, (double x, int *p), (x, p), note(log_writes, p, sizeof *p))
WRAP(float, cpudev_check_frexpf, (float x, int *p), (x, p), note(log_writes, p, sizeof *p))
WRAP(double, cpudev_check_modf, (double x, double *p), (x, p), note(log_writes, p, sizeof *p))
WRAP(float, cpudev_check_modff, (float x, float *p), (x, p), note(log_writes, p, sizeof *p))
WRAP(double, cpudev_check_remquo, (double x, double y, int *p), (x, y, p), note(log_writes, p, sizeof *p))
WRAP(float, cpudev_check_remquof, (float x, float y, int *p), (x, y, p), note(log_writes, p, sizeof *p))
WRAP_VOID(cpudev_check_sincos, (double x, double *s, double *c), (x, s, c), note(log_writes, s, sizeof *s),
          note(log_writes, c, sizeof *c))
WRAP_VOID(cpudev_check_sincosf, (float x, float *s, float *c), (x, s, c), note(log_writes, s, sizeof *s),
          note(log_writes, c, sizeof *c))
