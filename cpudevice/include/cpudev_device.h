/* cpudev_device.h: device code's own words: threadIdx and its like, barriers, warp functions, atomics; and the
 * templates that cucc's compiler wraps around kernels.  C++ only. */
/* It takes macros that stand for whole declarations, without semicolons, for parts of one: */
/* clang-format off */
#ifndef CPUDEV_DEVICE_H
#define CPUDEV_DEVICE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <assert.h>
#include <type_traits>
#include <utility>
#include <new>
#ifdef __cpp_rtti
#include <typeinfo>
#endif
#include "cpudev_core.h"
#include "cpudev_arithmetic.h"
#include "cpudev_doubles.h"
#include "cpudev_smallfloat.h"
#include "cpudev_instructions.h"

/* Always inlined: a checked program's findings then name the line that used the function, not one in here. */
#define CPUDEV_ALWAYS static inline __attribute__((always_inline, unused))

#define CPUDEV_MEMBER inline __attribute__((always_inline))

extern "C" {
#ifdef __CUCC_CHECK__
/* const, so that reading them is not watched */
extern const __thread uint3 threadIdx, blockIdx;
extern const __thread dim3 blockDim, gridDim;
#else
extern __thread uint3 threadIdx, blockIdx;
extern __thread dim3 blockDim, gridDim;
#endif
}
static const int warpSize __attribute__((unused)) = 32;

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
static const int cpudev_per_thread __attribute__((unused)) = cpudev_default_stream_per_thread();
#endif

/* ---- what the compiler writes ---- */

/* (int)(a + b), such that g++ sees that it does not wrap where a and b are small (compiler/kernel/sums.c). */
static inline __attribute__((always_inline)) int cpudev_sum(unsigned a, unsigned b)
{
    return a < 0x40000000u && b < 0x40000000u ? (int)a + (int)b : (int)(a + b);
}

/* a + b as an index, the same for g++ to see. */
static inline __attribute__((always_inline)) unsigned long cpudev_index(unsigned a, unsigned b)
{
    return a <= 0xffff0000u && b < 0x10000 ? (unsigned long)a + b : (unsigned long)(a + b);
}
static inline __attribute__((always_inline)) unsigned long cpudev_index(int a, unsigned b)
{
    return cpudev_index((unsigned)a, b);
}
template <class __A> static inline __attribute__((always_inline)) auto cpudev_index(__A a, unsigned b) -> decltype(a + b)
{
    return a + b;
}

namespace cpudev {
/* A side effect that costs nothing: see compiler/emit/print_assignments.c. */
__attribute__((always_inline)) constexpr inline int once() { return 0; }
} // namespace cpudev

CPUDEV_ALWAYS int cpudev_push_launch(dim3 grid, dim3 block = dim3(1), size_t shared = 0, cudaStream_t stream = 0,
                                     const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    return cpudev_push_launch_at(grid, block, shared, stream, file, line);
}

namespace cpudev {

#ifdef __CUCC_CHECK__
struct global_note {
    global_note(const volatile void *p, size_t bytes, const char *name, const char *kind, const char *file, int line)
    {
        cpudev_check_global_var((void *)p, bytes, name, kind[2], file, line);    /* __device__: 'd' ... */
    }
};
/* The same for a static variable of a device function, told when a thread first comes there; initialised without a guard,
 * whose accesses would be looked at. The library reads and writes `told`, for clang looks at every atomic operation here. */
struct static_note {
    bool told;
    __attribute__((noinline, no_sanitize("thread"))) void tell(const volatile void *p, size_t bytes, const char *name, const char *file, int line)
    {
        cpudev_check_static_var(&told, (void *)p, bytes, name, file, line);
    }
};
/* A loop around the running thread, and in which of its rounds the thread is; or a call of the function around it. No destructor, which would keep a function from being constexpr. */
#if __cplusplus >= 201402L
#define CPUDEV_ROUNDS constexpr CPUDEV_MEMBER
#define CPUDEV_RUNS !__builtin_is_constant_evaluated()
#else
#define CPUDEV_ROUNDS CPUDEV_MEMBER
#define CPUDEV_RUNS true
#endif
struct rounds {
    unsigned long before, loop, n;
    CPUDEV_ROUNDS rounds(unsigned long id) : before(0), loop(0), n(0)
    {
        if (CPUDEV_RUNS) {
            before = cpudev_check_round();
            loop = (before ^ id) * 0x9e3779b97f4a7c15u ^ before >> 29;
        }
    }
    CPUDEV_ROUNDS rounds(unsigned long id, bool) : before(0), loop(0), n(0)
    {
        if (CPUDEV_RUNS)
            before = cpudev_check_enter(id, __builtin_return_address(0));
    }
    CPUDEV_ROUNDS void next()
    {
        if (CPUDEV_RUNS)
            cpudev_check_set_round(loop + ++n);
    }
};
} // namespace cpudev
/* An attribute takes no name with :: in it. */
CPUDEV_ROUNDS void cpudev_rounds_over(cpudev::rounds *r)
{
    if (CPUDEV_RUNS)
        cpudev_check_set_round(r->before);
}
namespace cpudev {
/* An instance of a variable template: the checker learns of it where the program uses it. */
template <class __T, __T &__V> CPUDEV_ALWAYS __T &instance(const char *name, const char *file, int line)
{
    static static_note note;
    note.tell(&__V, sizeof __V, name, file, line);
    return __V;
}
#endif

#ifdef __CUCC_CHECK__
/* May a region have copies of its kernel's arguments? */
template <class... __P> constexpr bool trivial()
{
    bool all = true;
    (void)std::initializer_list<bool>{(all = all && std::is_trivially_copyable<__P>::value)...};
    return all;
}

/* Code without callbacks. It is a copy, so that nothing it writes can be taken for what it has captured. */
template <class __F> __attribute__((noinline, no_sanitize("thread"), no_sanitize("bounds"))) auto unwatched(__F f) -> decltype(f()) { return f(); }

/* A value on which a region's accesses depend, as bits. */
template <class __T> CPUDEV_ALWAYS unsigned long key(const __T &v)
{
    unsigned long bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v < 8 ? sizeof v : 8);
    return sizeof v > 8 ? ~0ul : bits;
}
#endif

/* In a loop over the threads it is the turn of t: the checker's to know.  Assembly, so that this is no access to watch. */
CPUDEV_ALWAYS void turn(unsigned long t)
{
#if !defined(__CUCC_CHECK__)
    (void)t;
#elif defined(__x86_64__)
    __asm__ volatile("movl %1, %0" : "=m"(cpudev_check_thread) : "r"((unsigned)t));
#else
    __asm__ volatile("str %w1, %0" : "=m"(cpudev_check_thread) : "r"((unsigned)t));
#endif
}

/* Types that the compiler trusts: nothing runs when one is made, copied, converted or computed with that could tell one
 * thread from another. */
template <class __T> struct is_header_class : std::false_type {};
#define CPUDEV_PLAIN(__T) template <> struct is_header_class<__T> : std::true_type {};
#define CPUDEV_PLAIN4(__T) CPUDEV_PLAIN(__T##1) CPUDEV_PLAIN(__T##2) CPUDEV_PLAIN(__T##3) CPUDEV_PLAIN(__T##4)
CPUDEV_PLAIN4(char) CPUDEV_PLAIN4(uchar) CPUDEV_PLAIN4(short) CPUDEV_PLAIN4(ushort) CPUDEV_PLAIN4(int) CPUDEV_PLAIN4(uint)
CPUDEV_PLAIN4(long) CPUDEV_PLAIN4(ulong) CPUDEV_PLAIN4(longlong) CPUDEV_PLAIN4(ulonglong) CPUDEV_PLAIN4(float) CPUDEV_PLAIN4(double)
CPUDEV_PLAIN(dim3)
#undef CPUDEV_PLAIN4
template <class __T> struct plain
    : std::integral_constant<bool, std::is_arithmetic<__T>::value || std::is_enum<__T>::value || std::is_void<__T>::value || is_header_class<__T>::value> {};
template <class __T> struct plain<const __T> : plain<__T> {};
template <class __T> struct plain<volatile __T> : plain<__T> {};
template <class __T> struct plain<const volatile __T> : plain<__T> {};
template <class __T> struct plain<__T *> : plain<__T> {};
template <class __T> struct plain<__T &> : plain<__T> {};
template <class __T> struct plain<__T[]> : plain<__T> {};
template <class __T, size_t n> struct plain<__T[n]> : plain<__T> {};
template <class __T, size_t n> struct plain<const __T[n]> : plain<__T> {};

/* One __T for each thread of a block, of a kernel in regions: a context array. It is neither made nor destroyed. */
template <class __T> struct slot_type
    : std::integral_constant<bool, (is_header_class<typename std::remove_all_extents<__T>::type>::value ||
                                    (std::is_trivially_copyable<__T>::value &&
                                     std::is_trivially_default_constructible<typename std::remove_all_extents<__T>::type>::value)) &&
                                       sizeof(__T) <= 512> {};
template <class __T, size_t alignment = alignof(__T)> struct slots {
    struct alignas(alignment) slot {
        unsigned char bytes[sizeof(__T)];
    };
    alignas(64) slot all[1024];
    CPUDEV_MEMBER __T &operator[](unsigned long i) { return *(__T *)(void *)&all[i]; }
    CPUDEV_MEMBER __T &put(unsigned long i, const __T &value)
    {
        __builtin_memcpy((void *)&all[i], (const void *)&value, sizeof(__T));
        return (*this)[i];
    }
    CPUDEV_MEMBER void fill(const __T &value)
    {
        for (unsigned long i = 0; i < 1024; i++)
            put(i, value);
    }
};

template <class Tag> struct kernel_of {
    static cpudev_kernel k;
};
template <class Tag> cpudev_kernel kernel_of<Tag>::k;

/* Adds a __shared__ array's size to its kernel, before main. */
template <class Tag, int id, size_t bytes> struct shared_note {
    static size_t size;
};
template <class Tag, int id, size_t bytes>
size_t shared_note<Tag, id, bytes>::size = (kernel_of<Tag>::k.static_shared += (unsigned)((bytes + 15) / 16 * 16), bytes);

/* __cluster_dims__ */
CPUDEV_ALWAYS cpudev_kernel *in_clusters(cpudev_kernel *k, unsigned x = 0, unsigned y = 1, unsigned z = 1)
{
    k->cluster = x ? uint3{x, y, z} : uint3{0, 0, 0};
    return k;
}

CPUDEV_ALWAYS constexpr unsigned bounds(unsigned threads, unsigned = 0, unsigned = 0) { return threads; }

#ifdef __CUCC_CHECK__
/* "constexpr const char *cpudev::type_in_words() [with __T = float*]" */
template <class __T> __attribute__((no_sanitize("thread"))) constexpr const char *type_in_words() { return __PRETTY_FUNCTION__; }

/* On the host, before a launch: the kernel's parameters by name. */
template <class... __P> __attribute__((no_sanitize("thread"))) void arguments(const char *names, const __P &...values)
{
    int i = 0;
    (void)std::initializer_list<int>{
        (cpudev_check_argument(names, i++, type_in_words<__P>(), (const void *)&values, std::is_trivially_copyable<__P>::value ? sizeof(__P) : 0,
                               std::is_pointer<__P>::value || std::is_integral<__P>::value),
         0)...};
}
#endif

/* std::index_sequence, which C++11 does not have. */
template <size_t... __I> struct indices {};
template <size_t n, size_t... __I> struct first_indices : first_indices<n - 1, n - 1, __I...> {};
template <size_t... __I> struct first_indices<0, __I...> {
    typedef indices<__I...> type;
};

template <class... __P> struct unpacker {
    template <size_t... __I> static void call(void (*function)(), void **args, indices<__I...>)
    {
        (void)args;
        ((void (*)(__P...))function)(*(typename std::remove_reference<__P>::type *)args[__I]...);
    }
};
template <class... __P> void unpack()
{
    void **args;
    void (*function)();
    static const cpudev_parameter parameters[] = {{sizeof(typename std::remove_reference<__P>::type),
                                                   alignof(typename std::remove_reference<__P>::type)}...,
                                                  {0, 0}};
    cpudev_current_args(&args, &function, parameters, sizeof...(__P));
    if (!args)
        return;
    unpacker<__P...>::call(function, args, typename first_indices<sizeof...(__P)>::type());
}

/* Of a captured launch: arguments whose bytes are all of them. */
template <class... __P> struct all_trivial {
    static constexpr bool value = true;
};
template <class __T, class... __P> struct all_trivial<__T, __P...> {
    static constexpr bool value = std::is_trivially_copyable<__T>::value && all_trivial<__P...>::value;
};
template <class... __P> void keep(void (*function)(), const __P &...arguments)
{
    const void *const list[] = {&arguments..., nullptr};
    static const cpudev_parameter parameters[] = {{sizeof(__P), alignof(__P)}..., {0, 0}};
    if (all_trivial<__P...>::value)
        cpudev_keep((const void *)function, list, parameters, sizeof...(__P));
}

/* Where a kernel's parameters end, each aligned; a GPU has room for 32764 bytes. */
template <class... __P> struct parameter_list {
    static constexpr unsigned long end(unsigned long at) { return at; }
};
template <class __T, class... __P> struct parameter_list<__T, __P...> {
    static constexpr unsigned long end(unsigned long at)
    {
        return parameter_list<__P...>::end((at + alignof(__T) - 1) / alignof(__T) * alignof(__T) + sizeof(__T));
    }
};

/* A kernel's arguments are copied by their constructors once, at the launch, on the host.  What each thread then has of
 * its own, for a kernel may change them, are those bytes: no constructor or destructor runs on the device. */
template <class __L, bool trivial = std::is_trivially_copyable<__L>::value> struct own_copy {
    __L value;
    __attribute__((always_inline)) explicit own_copy(const void *closure) : value(*(const __L *)closure) {}
    __attribute__((always_inline)) __L &get() { return value; }
};
template <class __L> struct own_copy<__L, false> {
    alignas(__L) unsigned char bytes[sizeof(__L)];
    explicit own_copy(const void *closure) { memcpy(bytes, closure, sizeof bytes); }
    __L &get() { return *(__L *)(void *)bytes; }
};

/* The copies of threadIdx are not the program's. gcc 10 would inline the kernel here, and watch nothing of it. */
#if defined(__CUCC_CHECK__) && (defined(__clang__) || __GNUC__ > 10)
#define CPUDEV_UNWATCHED __attribute__((no_sanitize_thread))
#else
#define CPUDEV_UNWATCHED
#endif
template <class __L> CPUDEV_UNWATCHED void run_thread(const void *closure)
{
    own_copy<__L> own(closure);
    own.get()(::threadIdx, ::blockIdx, ::blockDim, ::gridDim);
}

/* The threads of a row. apart: what each has of its own is in registers, so that what remains is global and shared memory,
 * where CUDA promises no order between threads: g++ may take any number of them at a time. */
template <bool apart, class __F> static inline __attribute__((always_inline)) void for_row(const unsigned n, __F f)
{
    if (apart) {
#ifndef __clang__ // whose loop vectorize(assume_safety) is a promise of more than that
#pragma GCC ivdep
#endif
        for (unsigned x = 0; x < n; x++)
            f(x);
    } else {
        for (unsigned x = 0; x < n; x++)
            f(x);
    }
}

/* All threads of a block whose threads never wait for each other: loops that the compiler may vectorise, because CUDA
 * promises no order between threads.  It vectorises x[blockIdx.x * blockDim.x + threadIdx.x] only if it can see that the
 * 32-bit index does not wrap: hence the bounds that look superfluous. */
template <class __L> __attribute__((noinline, cold)) void run_one(const __L &body, uint3 me, uint3 block, dim3 size, dim3 grid)
{
    own_copy<__L> own(&body);
    own.get()(me, block, size, grid);
}
template <class __L, bool apart> void run_block(const void *closure)
{
    const own_copy<__L> body(closure);
    uint3 block = ::blockIdx;
    const dim3 size = ::blockDim, grid = ::gridDim;
    const unsigned sx = size.x < 1024 ? size.x : 1024;
    dim3 dim = size;
    dim.x = sx;
    uint3 me;
    if (block.x > 0xfffff) {
        for (me.z = 0; me.z < size.z; me.z++)
            for (me.y = 0; me.y < size.y; me.y++)
                for (me.x = 0; me.x < size.x; me.x++) {
                    turn(me.x + size.x * (me.y + size.y * me.z));
                    run_one(*(const __L *)closure, me, block, size, grid);
                }
        return;
    }
    block.x &= 0xfffff;
    for (unsigned z = 0; z < size.z; z++)
        for (unsigned y = 0; y < size.y; y++)
            for_row<apart>(sx, [&](const unsigned x) __attribute__((always_inline)) {
                own_copy<__L> own(body);
                uint3 thread;
                thread.x = x;
                thread.y = y;
                thread.z = z;
                turn(x + sx * (y + size.y * z));
                own.get()(thread, block, dim, grid);
            });
}

/* The code between two barriers of a kernel that the compiler has split: once for each thread of the block. */
template <bool apart, class __F> static inline __attribute__((always_inline)) void for_threads(const dim3 size, __F f)
{
    const unsigned sx = size.x < 1024 ? size.x : 1024;
    for (unsigned z = 0; z < size.z; z++)
        for (unsigned y = 0; y < size.y; y++) {
            const unsigned long base = (unsigned long)sx * (y + size.y * z);
            for_row<apart>(sx, [&](const unsigned x) __attribute__((always_inline)) {
                uint3 me;
                me.x = x;
                me.y = y;
                me.z = z;
                f(me, base + x);
            });
        }
}
/* Threads of a block that lie together: nx times ny of them, beside each other in x and y; `base`: how many are in the
 * boxes before. */
struct box {
    unsigned x, y, z, nx, ny, base;
};
/* The next threads for which active() says so, from `b.x, b.y, b.z` on: a run in x, and the rows below that have just the same run. */
template <class __A> bool next_box(const dim3 size, const __A &active, box &b)
{
    const auto is_active = [&](unsigned x, unsigned y) __attribute__((always_inline)) {
        uint3 me;
        me.x = x;
        me.y = y;
        me.z = b.z;
        return active(me);
    };
    const auto same_run = [&](unsigned y) {
        for (unsigned x = 0; x < size.x; x++)
            if (is_active(x, y) != (x >= b.x && x < b.x + b.nx))
                return false;
        return true;
    };
    for (; b.z < size.z; b.z++, b.y = 0)
        for (; b.y < size.y; b.y++, b.x = 0) {
            while (b.x < size.x && !is_active(b.x, b.y))
                b.x++;
            if (b.x == size.x)
                continue;
            for (b.nx = 1; b.x + b.nx < size.x && is_active(b.x + b.nx, b.y);)
                b.nx++;
            b.ny = 1;
            if (same_run(b.y))
                while (b.y + b.ny < size.y && same_run(b.y + b.ny))
                    b.ny++;
            return true;
        }
    return false;
}
/* The threads that take part in a kernel with guards (compiler/kernel/guards.c), as boxes. */
struct boxes {
    box at[512]; // every second of 1024 threads
    unsigned n = 0;
    template <class __A> boxes(const dim3 size, const __A &active)
    {
        for (box b = {0, 0, 0, 0, 0, 0}; next_box(size, active, b);) {
            at[n++] = b;
            b.base += b.nx * b.ny;
            b.x += b.nx;
            if (b.ny > 1) {
                b.x = 0;
                b.y += b.ny;
            }
        }
    }
};
template <bool apart, class __F> static inline __attribute__((always_inline)) void for_threads(const boxes &those, __F f)
{
    for (unsigned i = 0; i < those.n; i++) {
        const box b = those.at[i];
        const unsigned nx = b.nx < 1024 ? b.nx : 1024, x0 = b.x & 1023;
        for (unsigned y = 0; y < b.ny; y++)
            for_row<apart>(nx, [&](const unsigned x) __attribute__((always_inline)) {
                uint3 me;
                me.x = (int)x0 + (int)x; /* g++ must see that it does not wrap */
                me.y = b.y + y;
                me.z = b.z;
                f(me, b.base + (unsigned long)nx * y + x);
            });
    }
}

/* Of blocks that far apart there are few: cold keeps the time to compile the body a second time low. */
template <class __L> __attribute__((noinline, cold)) void run_split_far(const __L &closure)
{
    own_copy<__L> own(&closure);
    own.get()(::blockIdx, ::blockDim, ::gridDim);
}
template <class __L> void run_split(const void *closure)
{
    if (::blockIdx.x > 0xfffff)
        return run_split_far<__L>(*(const __L *)closure);
    own_copy<__L> own(closure);
    uint3 block = ::blockIdx;
    dim3 size = ::blockDim;
    block.x &= 0xfffff;
    size.x = size.x < 1024 ? size.x : 1024;
    own.get()(block, size, ::gridDim);
}

template <class Tag> const char *tag_of()
{
#ifdef __cpp_rtti
    return typeid(Tag).name();
#else
    return nullptr;
#endif
}

/* Between a launch's arguments lies what was on the stack before: the checker, which looks for pointers, must not see it. */
template <class __L, bool = std::is_trivially_copyable<__L>::value> struct padding {
    static void clear(__L &) {}
};
#if defined(__CUCC_CHECK__) && defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
/* In a union, because g++ clears the wrong bytes behind an array of structs that is longer than 64 bytes: it forgets the
 * length of an array that it clears by a loop, and in a union it makes none. */
template <class __L> union in_union {
    __L value;
};
template <class __L> struct padding<__L, true> {
    static void clear(__L &body) { __builtin_clear_padding((in_union<__L> *)(void *)&body); }
};
#endif
#endif

template <class Tag, class __L> void submit_split(__L &body)
{
    padding<__L>::clear(body);
    static const cpudev_work work = {sizeof(__L), alignof(__L), run_split<__L>, nullptr, tag_of<Tag>, CPUDEV_FLUSHES};
    cpudev_submit(&kernel_of<Tag>::k, &body, &work);
}
template <class Tag, bool apart = false, class __L> void submit_simple(__L &body)
{
    padding<__L>::clear(body);
    static const cpudev_work work = {sizeof(__L), alignof(__L), run_block<__L, apart>, nullptr, tag_of<Tag>, CPUDEV_FLUSHES};
    cpudev_submit(&kernel_of<Tag>::k, &body, &work);
}
template <class Tag, class __L> void submit_general(__L &body)
{
    padding<__L>::clear(body);
    static const cpudev_work work = {sizeof(__L), alignof(__L), nullptr, run_thread<__L>, tag_of<Tag>, CPUDEV_FLUSHES};
    cpudev_submit(&kernel_of<Tag>::k, &body, &work);
}

#ifdef __CUCC_CHECK__
/* A local array between two guards that the checker knows while it lives. */
template <class __T> struct guarded_local {
    alignas(16) unsigned char before[64];
    __T value;
    unsigned char after[128];
};
struct local_guard {
    void *zones, *p;
    size_t bytes, size;
    template <class __T> local_guard(guarded_local<__T> &g, const char *name) : zones((void *)&g), p((void *)&g.value), bytes(sizeof g), size(sizeof g.value)
    {
        cpudev_check_local(zones, bytes, p, size, name, 1);
    }
    ~local_guard() { cpudev_check_local(zones, bytes, p, size, nullptr, 0); }
};
/* Slots of which the checker knows whose they are, while they live. */
struct slots_guard {
    void *p;
    template <class __S> slots_guard(__S &s, const char *name) : p((void *)&s)
    {
        cpudev_check_slots(p, sizeof s, sizeof s.all[0], name, 1);
    }
    ~slots_guard() { cpudev_check_slots(p, 0, 1, nullptr, 0); }
};
#endif

#ifdef __CUCC_CHECK__
/* What compiler/emit/print_copies.c puts round the values of calls, so that they are copied where the checker sees it. The
 * assembly keeps g++ from taking the copy away. */
template <class __T> CPUDEV_ALWAYS typename std::enable_if<!std::is_lvalue_reference<__T>::value, __T &&>::type value_of(__T &&x)
{
    if (std::is_class<__T>::value || std::is_union<__T>::value)
        __asm__("" ::"m"(x));
    return static_cast<__T &&>(x);
}
template <class __T> CPUDEV_ALWAYS __T &value_of(__T &x) { return x; }

/* A struct that a call passes as bytes. CUDA's vectors are such, though they have an assignment of their own. */
template <class __T>
using is_struct = std::integral_constant<bool, (std::is_class<__T>::value || std::is_union<__T>::value) && !std::is_volatile<__T>::value &&
                                                   std::is_trivially_copy_constructible<__T>::value && std::is_trivially_destructible<__T>::value>;
template <class __T> CPUDEV_ALWAYS typename std::enable_if<is_struct<__T>::value, __T>::type copy_of(const __T &x)
{
    __T copy = x;
    __asm__("" : "+m"(copy));
    return copy;
}
template <class __T>
CPUDEV_ALWAYS typename std::enable_if<!is_struct<__T>::value && !std::is_class<__T>::value && !std::is_array<__T>::value, __T>::type
copy_of(const __T &x)
{
    return x;
}
template <class __T>
CPUDEV_ALWAYS typename std::enable_if<!is_struct<typename std::remove_reference<__T>::type>::value &&
                                          (std::is_class<typename std::remove_reference<__T>::type>::value ||
                                           std::is_array<typename std::remove_reference<__T>::type>::value),
                                      __T &&>::type
copy_of(__T &&x)
{
    return static_cast<__T &&>(x);
}

/* What is assigned to a struct of type To, where a function of its class makes one of it: operator To(). */
template <class To, class From>
using makes = std::integral_constant<bool, is_struct<To>::value && std::is_class<From>::value && !std::is_base_of<To, From>::value &&
                                               std::is_convertible<From &, To>::value>;
template <class To, class From> CPUDEV_ALWAYS To convert(From &x, std::true_type)
{
    To value = x;
    __asm__("" : "+m"(value));
    return value;
}
template <class To, class From> CPUDEV_ALWAYS From &&convert(From &&x, std::false_type) { return static_cast<From &&>(x); }
template <class To, class From, class Makes = makes<typename std::decay<To>::type, typename std::remove_reference<From>::type>>
CPUDEV_ALWAYS auto converted(From &&x) -> decltype(convert<typename std::decay<To>::type>(static_cast<From &&>(x), Makes()))
{
    return convert<typename std::decay<To>::type>(static_cast<From &&>(x), Makes());
}

template <int Which, class First, class... More> struct parameter : parameter<Which - 1, More...> {};
template <class First, class... More> struct parameter<0, First, More...> {
    typedef First type;
};
template <int Which, class Result, class... __A> parameter<Which, __A...> parameter_of(Result (*)(__A...));
template <int Which, class Class, class Result, class... __A> parameter<Which, __A...> parameter_of(Result (Class::*)(__A...));
template <int Which, class Class, class Result, class... __A> parameter<Which, __A...> parameter_of(Result (Class::*)(__A...) const);
template <class __F> __F callable(__F *, ...);
template <class __F, class Call = decltype(&__F::operator())> Call callable(__F *, int);
/* Is parameter Which of F, a pointer to a function or a lambda, a struct by value? Not known of what is overloaded. */
template <int Which, class __F> std::false_type takes_struct(...);
template <int Which, class __F>
is_struct<typename decltype(parameter_of<Which>(callable((__F *)nullptr, 0)))::type> takes_struct(int);
template <int Which, class __F> using takes = decltype(takes_struct<Which, typename std::decay<__F>::type>(0));

template <class __T> CPUDEV_ALWAYS __T pass(const __T &x, std::true_type) { return copy_of(x); }
template <class __T> CPUDEV_ALWAYS __T &pass(__T &x, std::false_type) { return x; }
template <class __T> CPUDEV_ALWAYS __T &&pass(__T &&x, std::false_type) { return static_cast<__T &&>(x); }
template <int Which, class __F, class __T>
CPUDEV_ALWAYS auto passed(__T &&x) -> decltype(pass(static_cast<__T &&>(x), takes<Which, __F>()))
{
    return pass(static_cast<__T &&>(x), takes<Which, __F>());
}
#endif

/* extern __shared__ __T name[]; */
template <class __T> CPUDEV_ALWAYS __T dynamic_shared()
{
    return *(typename std::remove_reference<__T>::type *)cpudev_tls.dynamic_shared;
}
/* the same at file scope */
template <class __T> struct dynamic_array;
template <class __T> struct dynamic_array<__T[]> {
    operator __T *() const { return (__T *)cpudev_tls.dynamic_shared; }
    __T (&operator*() const)[] { return *(__T(*)[])cpudev_tls.dynamic_shared; }
};

} // namespace cpudev

/* CUDA's atomics order nothing but themselves; the checker wants to see which do more. */
#ifdef __CUCC_CHECK__
#define CPUDEV_ORDER __ATOMIC_RELAXED
#else
#define CPUDEV_ORDER __ATOMIC_SEQ_CST
#endif

/* ---- barriers ---- */

#ifdef __CUCC_CHECK__
/* Where a barrier is: line and column tell two barriers on one line from two copies of one. */
#if __cplusplus > 201703L && __has_include(<source_location>)
#include <source_location>
#define CPUDEV_PLACE std::source_location place = std::source_location::current()
#define CPUDEV_PLACE_OF(place) *(const void *const *)(const void *)&(place)
#elif __GNUC__ >= 11
namespace std {
struct source_location {
    struct __impl {
        const char *_M_file_name, *_M_function_name;
        unsigned _M_line, _M_column;
    };
};
} // namespace std
#define CPUDEV_PLACE const void *place = __builtin_source_location()
#define CPUDEV_PLACE_OF(place) place
#else
#define CPUDEV_PLACE const void *place = nullptr
#define CPUDEV_PLACE_OF(place) place
#endif
CPUDEV_ALWAYS void __syncthreads(CPUDEV_PLACE) { cpudev_syncthreads_at(CPUDEV_PLACE_OF(place)); }
#else
CPUDEV_ALWAYS void __syncthreads()
{
    cpudev_block *b = &cpudev_tls;
    if (__builtin_expect(++b->arrived == b->live, 0)) {
        b->arrived = 0;
        b->epoch++;
        __asm__ volatile("" ::: "memory");
        return;
    }
    cpudev_fiber *me = b->current;
    if (__builtin_expect(!me, 0)) {
        cpudev_fork();
        me = b->current;
    }
    const unsigned epoch = b->epoch;
    me->barrier = epoch + 1;
    cpudev_fiber *to = me->next;
    b->current = to;
    threadIdx = to->tid;
    __builtin_prefetch(to->next->sp);
    __builtin_prefetch((char *)to->next->sp + 64);
    __builtin_prefetch((char *)to->next->sp + 128);
    cpudev_switch(me, to);
    if (__builtin_expect(cpudev_tls.epoch == epoch, 0))
        cpudev_barrier_again(epoch);
}
#endif
CPUDEV_ALWAYS int __syncthreads_count(int pred) { return cpudev_syncthreads_reduce(pred, 0); }
CPUDEV_ALWAYS int __syncthreads_and(int pred) { return cpudev_syncthreads_reduce(pred, 1); }
CPUDEV_ALWAYS int __syncthreads_or(int pred) { return cpudev_syncthreads_reduce(pred, 2); }
CPUDEV_ALWAYS void __syncwarp(unsigned mask = 0xffffffffu) { cpudev_syncwarp(mask); }
/* A kernel begins when the one before it in its stream has ended, whatever its launch allows. */
CPUDEV_ALWAYS void cudaGridDependencySynchronize() {}
CPUDEV_ALWAYS void cudaTriggerProgrammaticLaunchCompletion() {}

#ifdef __CUCC_CHECK__
CPUDEV_ALWAYS void __threadfence() { cpudev_fence(1); }
CPUDEV_ALWAYS void __threadfence_block() { cpudev_fence(0); }
CPUDEV_ALWAYS void __threadfence_system() { cpudev_fence(2); }
#else
CPUDEV_ALWAYS void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CPUDEV_ALWAYS void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CPUDEV_ALWAYS void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

/* ---- warps ---- */

namespace cpudev {
/* The lane that a shuffle asks, of those `width` among which `lane` is; its own, where it would be beyond them. Of an offset
 * the hardware takes five bits (PTX ISA, shfl.sync). */
CPUDEV_ALWAYS int asked_idx(int lane, int src, int width) { return (lane & ~(width - 1)) | (src & (width - 1)); }
CPUDEV_ALWAYS int asked_up(int lane, unsigned delta, int width)
{
    const int from = lane - (int)(delta & 31);
    return from < (lane & ~(width - 1)) ? lane : from;
}
CPUDEV_ALWAYS int within(int lane, int from, int width) { return from > (lane | (width - 1)) ? lane : from; }
CPUDEV_ALWAYS int asked_down(int lane, unsigned delta, int width) { return within(lane, lane + (int)(delta & 31), width); }
CPUDEV_ALWAYS int asked_xor(int lane, int laneMask, int width) { return within(lane, lane ^ (laneMask & 31), width); }
} // namespace cpudev

#ifndef __CUCC_CHECK__
#include "cpudev_lanes.h"
#endif

#ifdef __CUCC_CHECK__
#define CPUDEV_WIDTH(width) ((width) < 1 || (width) > 32 || ((width) & ((width) - 1)) ? cpudev_check_width(width) : (void)0)
#else
#define CPUDEV_WIDTH(width) ((void)0)
#endif
#define CPUDEV_SHUFFLE(name, kind, type)                                                                                  \
    template <class __T> CPUDEV_ALWAYS __T name(unsigned mask, __T value, type arg, int width = 32)                              \
    {                                                                                                                     \
        CPUDEV_WIDTH(width);                                                                                              \
        __T result = value;                                                                                                 \
        cpudev_warp_shuffle(mask, &value, &result, sizeof(__T), (unsigned)cpudev::asked_##kind((int)cpudev_lane(), arg, width)); \
        return result;                                                                                                    \
    }
CPUDEV_SHUFFLE(__shfl_sync, idx, int)
CPUDEV_SHUFFLE(__shfl_up_sync, up, unsigned)
CPUDEV_SHUFFLE(__shfl_down_sync, down, unsigned)
CPUDEV_SHUFFLE(__shfl_xor_sync, xor, int)
#undef CPUDEV_SHUFFLE
#undef CPUDEV_WIDTH

CPUDEV_ALWAYS unsigned __activemask()
{
    const void *site;    /* one for each place where this is inlined */
#if defined(__x86_64__)
    __asm__ volatile("leaq 0(%%rip), %0" : "=r"(site));
#elif defined(__aarch64__)
    __asm__ volatile("adr %0, ." : "=r"(site));
#else
    site = __builtin_return_address(0);
#endif
    return cpudev_activemask(site);
}
namespace cpudev {
/* What the lanes of a warp have all read before one of them goes on (compiler/kernel/lockstep.c). */
template <class __T> CPUDEV_ALWAYS __T in_step(unsigned order, __T value)
{
    cpudev_lockstep(order);
    return value;
}
} // namespace cpudev
CPUDEV_ALWAYS unsigned __ballot_sync(unsigned mask, int pred) { return cpudev_ballot(mask, pred); }
CPUDEV_ALWAYS int __any_sync(unsigned mask, int pred) { return cpudev_ballot(mask, pred) != 0; }
CPUDEV_ALWAYS int __all_sync(unsigned mask, int pred) { return cpudev_ballot(mask, !pred) == 0; }
CPUDEV_ALWAYS int __uni_sync(unsigned mask, int pred)
{
    unsigned yes = cpudev_ballot(mask, pred != 0);
    return yes == 0 || cpudev_ballot(mask, pred == 0) == 0;
}
template <class __T> CPUDEV_ALWAYS unsigned __match_any_sync(unsigned mask, __T value)
{
    __T all[32];
    cpudev_warp_allgather(mask, &value, all, sizeof(__T));
    const unsigned here = cpudev_ballot(mask, 1);
    unsigned same = 0;
    for (int i = 0; i < 32; i++)
        if ((here >> i & 1) && !memcmp(&all[i], &value, sizeof(__T)))
            same |= 1u << i;
    return same;
}
template <class __T> CPUDEV_ALWAYS unsigned __match_all_sync(unsigned mask, __T value, int *pred)
{
    const unsigned same = __match_any_sync(mask, value);
    const unsigned here = cpudev_ballot(mask, 1);
    *pred = same == here;
    return *pred ? here : 0;
}
#define CPUDEV_REDUCE(name, __T, start, combine)                                     \
    CPUDEV_ALWAYS __T name(unsigned mask, __T value)                                   \
    {                                                                              \
        __T all[32], r = start;                                                      \
        cpudev_warp_allgather(mask, &value, all, sizeof(__T));                       \
        const unsigned here = cpudev_ballot(mask, 1);                              \
        for (int i = 0; i < 32; i++)                                               \
            if (here >> i & 1)                                                     \
                r = combine;                                                       \
        return r;                                                                  \
    }
CPUDEV_REDUCE(__reduce_add_sync, unsigned, 0, r + all[i])
CPUDEV_REDUCE(__reduce_add_sync, int, 0, (int)((unsigned)r + (unsigned)all[i]))
CPUDEV_REDUCE(__reduce_min_sync, unsigned, value, all[i] < r ? all[i] : r)
CPUDEV_REDUCE(__reduce_min_sync, int, value, all[i] < r ? all[i] : r)
CPUDEV_REDUCE(__reduce_max_sync, unsigned, value, all[i] > r ? all[i] : r)
CPUDEV_REDUCE(__reduce_max_sync, int, value, all[i] > r ? all[i] : r)
CPUDEV_REDUCE(__reduce_and_sync, unsigned, ~0u, r & all[i])
CPUDEV_REDUCE(__reduce_or_sync, unsigned, 0u, r | all[i])
CPUDEV_REDUCE(__reduce_xor_sync, unsigned, 0u, r ^ all[i])
#undef CPUDEV_REDUCE

/* ---- atomics: relaxed, as CUDA's.  One that leaves memory as it was may be somebody waiting: it lets others run. ---- */

namespace cpudev {
template <size_t n> struct word;
template <> struct word<1> { typedef unsigned char type; };
template <> struct word<2> { typedef unsigned short type; };
template <> struct word<4> { typedef unsigned type; };
template <> struct word<8> { typedef unsigned long long type; };
template <> struct word<16> { __extension__ typedef unsigned __int128 type; };

template <class To, class From> CPUDEV_ALWAYS To bits(From from)
{
    To to;
    __builtin_memcpy(&to, &from, sizeof to); /* under --check too no access, and no call */
    return to;
}
#ifdef __CUCC_CHECK__
/* The counters tell an atomic whose result is used from one whose is not, as nvcc makes another instruction of it. The
 * compiler leaves out an asm statement whose output nobody uses; of those that stay a section keeps the addresses, between
 * those of the atomics (checker/race/results.c). */
#define CPUDEV_MARK(what) "1:\n\t.pushsection cpudev_atomics, \"a?\", @progbits\n\t.long 1b - ., " what "\n\t.popsection"
#define CPUDEV_ATOMIC __asm__ volatile(CPUDEV_MARK("0"));
#define CPUDEV_ATOMIC_ALWAYS __asm__ volatile(CPUDEV_MARK("2")); /* the same instruction whether its result is used or not */
template <class __T> CPUDEV_ALWAYS __T result(__T old)
{
    __T used;
    __asm__(CPUDEV_MARK("1") : "=r"(used) : "0"(old));
    return used;
}
#else
#define CPUDEV_ATOMIC
#define CPUDEV_ATOMIC_ALWAYS
template <class __T> CPUDEV_ALWAYS __T result(__T old) { return old; }
#endif

/* Replaces *p, of 1, 2, 4 or 8 bytes, by f(*p) atomically and returns the old value. Without an order one that changes
 * nothing is a load. Under --check the checker counts one
 * atomic, even where other threads make the compare-and-swap try again: a GPU has one instruction for it, and the counts
 * are meant to be the GPU's. */
template <bool Ordered = false, class __T, class __F> CPUDEV_ALWAYS __T atomic_update(__T *p, __F f, int order = CPUDEV_ORDER)
{
    typedef typename word<sizeof(__T)>::type __W;
    __W *w = (__W *)(void *)p;
#ifdef __CUCC_CHECK__
    CPUDEV_ATOMIC
    unsigned long long old = cpudev_check_update_begin(w, sizeof(__W), order);
    __W updated;
    do
        updated = bits<__W>(f(bits<__T>((__W)old)));
    while (!cpudev_check_update_try(updated, &old));
    if (updated == (__W)old)
        cpudev_poll();
    return bits<__T>(result((__W)old));
#else
    __W old = __atomic_load_n(w, __ATOMIC_RELAXED);
    for (;;) {
        __W updated = bits<__W>(f(bits<__T>(old)));
        const bool same = updated == old;
        if ((same && !Ordered) ||
            __atomic_compare_exchange_n(w, &old, updated, false, order, __ATOMIC_RELAXED)) {
            if (same)
                cpudev_poll();
            return bits<__T>(old);
        }
    }
#endif
}
template <class __T> CPUDEV_ALWAYS __T atomic_add(__T *p, __T v)
{
    if (v == 0)
        cpudev_poll();
    CPUDEV_ATOMIC
    return result(__atomic_fetch_add(p, v, CPUDEV_ORDER));
}
template <class __T> CPUDEV_ALWAYS __T atomic_and(__T *p, __T v)
{
    CPUDEV_ATOMIC
    return result(__atomic_fetch_and(p, v, CPUDEV_ORDER));
}
template <class __T> CPUDEV_ALWAYS __T atomic_or(__T *p, __T v)
{
    if (!v)
        cpudev_poll();
    CPUDEV_ATOMIC
    return result(__atomic_fetch_or(p, v, CPUDEV_ORDER));
}
template <class __T> CPUDEV_ALWAYS __T atomic_xor(__T *p, __T v)
{
    CPUDEV_ATOMIC
    return result(__atomic_fetch_xor(p, v, CPUDEV_ORDER));
}
template <class __T> CPUDEV_ALWAYS __T atomic_cas(__T *p, __T compare, __T value)
{
    typedef typename word<sizeof(__T)>::type __W;
    __W expected = bits<__W>(compare);
    CPUDEV_ATOMIC_ALWAYS
    if (!__atomic_compare_exchange_n((__W *)(void *)p, &expected, bits<__W>(value), false, CPUDEV_ORDER, CPUDEV_ORDER))
        cpudev_poll();
    return bits<__T>(expected);
}
template <class __T> CPUDEV_ALWAYS __T atomic_exch(__T *p, __T value)
{
    typedef typename word<sizeof(__T)>::type __W;
    CPUDEV_ATOMIC_ALWAYS
    __W v = bits<__W>(value), old = __atomic_exchange_n((__W *)(void *)p, v, CPUDEV_ORDER);
    if (old == v)
        cpudev_poll();
    return bits<__T>(result(old));
}
} // namespace cpudev

/* The checker wants to see which atomics promise nothing to other blocks, and which name their order. */
#ifdef __CUCC_CHECK__
namespace cpudev {
struct atomic_kind {
    atomic_kind(bool block_scope, bool ordered) { cpudev_check_atomic_kind = block_scope | ordered << 1; }
    ~atomic_kind() { cpudev_check_atomic_kind = 0; }
};
} // namespace cpudev
#define CPUDEV_ATOMIC_KIND(block_scope, ordered) const ::cpudev::atomic_kind cpudev_kind(block_scope, ordered);
#else
#define CPUDEV_ATOMIC_KIND(block_scope, ordered)
#endif

#define CPUDEV_ATOMIC_SCOPES(name, __T, params, args)                                \
    CPUDEV_ALWAYS __T name##_block params { CPUDEV_ATOMIC_KIND(true, false) return name args; } \
    CPUDEV_ALWAYS __T name##_system params { return name args; }
#define CPUDEV_ATOMIC_INT(__T)                                                                                              \
    CPUDEV_ALWAYS __T atomicAdd(__T *p, __T v) { return cpudev::atomic_add(p, v); }                                             \
    CPUDEV_ATOMIC_SCOPES(atomicAdd, __T, (__T *p, __T v), (p, v))                                                               \
    CPUDEV_ALWAYS __T atomicMin(__T *p, __T v) { return cpudev::atomic_update(p, [v](__T o) { return v < o ? v : o; }); }         \
    CPUDEV_ATOMIC_SCOPES(atomicMin, __T, (__T *p, __T v), (p, v))                                                               \
    CPUDEV_ALWAYS __T atomicMax(__T *p, __T v) { return cpudev::atomic_update(p, [v](__T o) { return v > o ? v : o; }); }         \
    CPUDEV_ATOMIC_SCOPES(atomicMax, __T, (__T *p, __T v), (p, v))                                                               \
    CPUDEV_ALWAYS __T atomicAnd(__T *p, __T v) { return cpudev::atomic_and(p, v); }                                             \
    CPUDEV_ATOMIC_SCOPES(atomicAnd, __T, (__T *p, __T v), (p, v))                                                               \
    CPUDEV_ALWAYS __T atomicOr(__T *p, __T v) { return cpudev::atomic_or(p, v); }                                               \
    CPUDEV_ATOMIC_SCOPES(atomicOr, __T, (__T *p, __T v), (p, v))                                                                \
    CPUDEV_ALWAYS __T atomicXor(__T *p, __T v) { return cpudev::atomic_xor(p, v); }                                             \
    CPUDEV_ATOMIC_SCOPES(atomicXor, __T, (__T *p, __T v), (p, v))                                                               \
    CPUDEV_ALWAYS __T atomicExch(__T *p, __T v) { return cpudev::atomic_exch(p, v); }                                           \
    CPUDEV_ATOMIC_SCOPES(atomicExch, __T, (__T *p, __T v), (p, v))                                                              \
    CPUDEV_ALWAYS __T atomicCAS(__T *p, __T compare, __T v) { return cpudev::atomic_cas(p, compare, v); }                         \
    CPUDEV_ATOMIC_SCOPES(atomicCAS, __T, (__T *p, __T compare, __T v), (p, compare, v))
CPUDEV_ATOMIC_INT(int)
CPUDEV_ATOMIC_INT(unsigned)
CPUDEV_ATOMIC_INT(unsigned long long)
/* CUDA has only min and max of these two; the others are harmless and make size_t counters work */
CPUDEV_ATOMIC_INT(long long)
CPUDEV_ATOMIC_INT(unsigned long)
CPUDEV_ATOMIC_INT(long)
CPUDEV_ALWAYS unsigned short atomicCAS(unsigned short *p, unsigned short compare, unsigned short v) { return cpudev::atomic_cas(p, compare, v); }

/* Of 16 bytes that are aligned to as many, of any type that can be copied by its bytes: an H100's. By gcc's older names, which
 * it compiles to the instruction; the newer ones are calls of a library. */
namespace cpudev {
template <bool wide, class __T> struct of_16_bytes {};
template <class __T> struct of_16_bytes<true, __T> { typedef __T type; };
template <class __T> struct wide : of_16_bytes<sizeof(__T) == 16 && alignof(__T) >= 16 && __is_trivially_copyable(__T), __T> {};
template <class __T> CPUDEV_ALWAYS __T wide_cas(__T *p, __T compare, __T value)
{
    typedef word<16>::type __W;
    const __W expected = bits<__W>(compare);
    CPUDEV_ATOMIC_ALWAYS
    const __W old = __sync_val_compare_and_swap((__W *)(void *)p, expected, bits<__W>(value));
    if (old != expected)
        cpudev_poll();
    return bits<__T>(old);
}
template <class __T> CPUDEV_ALWAYS __T wide_exch(__T *p, __T value)
{
    typedef word<16>::type __W;
    const __W v = bits<__W>(value);
#ifdef __CUCC_CHECK__
    CPUDEV_ATOMIC_ALWAYS
    const __W old = __atomic_exchange_n((__W *)(void *)p, v, CPUDEV_ORDER); /* the checker's function */
#else
    __W old = v;
    for (__W seen; (seen = __sync_val_compare_and_swap((__W *)(void *)p, old, v)) != old;)
        old = seen;
#endif
    if (old == v)
        cpudev_poll();
    return bits<__T>(old);
}
} // namespace cpudev
#define CPUDEV_WIDE template <class __T> CPUDEV_ALWAYS typename cpudev::wide<__T>::type
CPUDEV_WIDE atomicCAS(__T *p, __T compare, __T v) { return cpudev::wide_cas(p, compare, v); }
CPUDEV_WIDE atomicCAS_block(__T *p, __T compare, __T v) { CPUDEV_ATOMIC_KIND(true, false) return cpudev::wide_cas(p, compare, v); }
CPUDEV_WIDE atomicCAS_system(__T *p, __T compare, __T v) { return cpudev::wide_cas(p, compare, v); }
CPUDEV_WIDE atomicExch(__T *p, __T v) { return cpudev::wide_exch(p, v); }
CPUDEV_WIDE atomicExch_block(__T *p, __T v) { CPUDEV_ATOMIC_KIND(true, false) return cpudev::wide_exch(p, v); }
CPUDEV_WIDE atomicExch_system(__T *p, __T v) { return cpudev::wide_exch(p, v); }
#undef CPUDEV_WIDE

/* An atomic sum of float in global memory takes and gives subnormal numbers as 0, whatever -ftz says; in shared memory it
 * keeps them (PTX ISA, "atom"; tests/arithmetic/subnormal.cu). A sum that has to do with one, or is 0 of two numbers that are not
 * (a file with -ftz adds without them), is the runtime's: the others need not know where the address is. */
namespace cpudev {
CPUDEV_ALWAYS float add_in_memory(const void *p, float a, float b)
{
    const float sum = a + b;
    const unsigned twice_a = bits<unsigned>(a) << 1, twice_b = bits<unsigned>(b) << 1, twice = bits<unsigned>(sum) << 1;
    if (__builtin_expect((twice_a - 1 < 0x00ffffff) | (twice_b - 1 < 0x00ffffff) | ((twice < 0x01000000) & (twice_a != 0)), 0))
        return cpudev_add_float(p, a, b);
    return sum;
}
CPUDEV_ALWAYS float atomic_sum(const void *p, float a, float b) { return add_in_memory(p, a, b); }
CPUDEV_ALWAYS float atomic_difference(const void *p, float a, float b) { return add_in_memory(p, a, -b); }
template <class __T> CPUDEV_ALWAYS __T atomic_sum(const void *, __T a, __T b) { return (__T)(a + b); }
template <class __T> CPUDEV_ALWAYS __T atomic_difference(const void *, __T a, __T b) { return (__T)(a - b); }
} // namespace cpudev

CPUDEV_ALWAYS int atomicSub(int *p, int v) { return cpudev::atomic_add(p, (int)(0u - (unsigned)v)); }
CPUDEV_ALWAYS unsigned atomicSub(unsigned *p, unsigned v) { return cpudev::atomic_add(p, 0u - v); }
CPUDEV_ATOMIC_SCOPES(atomicSub, int, (int *p, int v), (p, v))
CPUDEV_ATOMIC_SCOPES(atomicSub, unsigned, (unsigned *p, unsigned v), (p, v))
CPUDEV_ALWAYS unsigned atomicInc(unsigned *p, unsigned v) { return cpudev::atomic_update(p, [v](unsigned o) { return o >= v ? 0u : o + 1; }); }
CPUDEV_ALWAYS unsigned atomicDec(unsigned *p, unsigned v) { return cpudev::atomic_update(p, [v](unsigned o) { return o == 0 || o > v ? v : o - 1; }); }
CPUDEV_ATOMIC_SCOPES(atomicInc, unsigned, (unsigned *p, unsigned v), (p, v))
CPUDEV_ATOMIC_SCOPES(atomicDec, unsigned, (unsigned *p, unsigned v), (p, v))
CPUDEV_ALWAYS float atomicAdd(float *p, float v) { return cpudev::atomic_update(p, [p, v](float o) { return cpudev::add_in_memory(p, o, v); }); }
CPUDEV_ALWAYS double atomicAdd(double *p, double v) { return cpudev::atomic_update(p, [v](double o) { return o + v; }); }
CPUDEV_ATOMIC_SCOPES(atomicAdd, float, (float *p, float v), (p, v))
CPUDEV_ATOMIC_SCOPES(atomicAdd, double, (double *p, double v), (p, v))
CPUDEV_ALWAYS float atomicExch(float *p, float v) { return cpudev::atomic_exch(p, v); }
CPUDEV_ATOMIC_SCOPES(atomicExch, float, (float *p, float v), (p, v))
CPUDEV_ALWAYS float2 atomicAdd(float2 *p, float2 v)
{
    float2 old;
    old.x = atomicAdd(&p->x, v.x);
    old.y = atomicAdd(&p->y, v.y);
    return old;
}
CPUDEV_ALWAYS float4 atomicAdd(float4 *p, float4 v)
{
    float4 old;
    old.x = atomicAdd(&p->x, v.x);
    old.y = atomicAdd(&p->y, v.y);
    old.z = atomicAdd(&p->z, v.z);
    old.w = atomicAdd(&p->w, v.w);
    return old;
}

/* ---- the rest ---- */

CPUDEV_ALWAYS void __trap() { cpudev_trap(); }
CPUDEV_ALWAYS void __brkpt() {}
/* ---- clusters ---- */

CPUDEV_ALWAYS dim3 __clusterDim() { return cpudev_cluster_size(); }
CPUDEV_ALWAYS dim3 __clusterRelativeBlockIdx()
{
    const uint3 at = cpudev_cluster_place();
    return dim3(at.x, at.y, at.z);
}
CPUDEV_ALWAYS dim3 __clusterIdx()
{
    const dim3 size = cpudev_cluster_size();
    return dim3(blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z);
}
CPUDEV_ALWAYS dim3 __clusterGridDimInClusters()
{
    const dim3 size = cpudev_cluster_size();
    return dim3(gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z);
}
CPUDEV_ALWAYS unsigned __clusterRelativeBlockRank()
{
    const uint3 at = cpudev_cluster_place();
    const dim3 size = cpudev_cluster_size();
    return at.x + size.x * (at.y + size.y * at.z);
}
CPUDEV_ALWAYS unsigned __clusterSizeInBlocks()
{
    const dim3 size = cpudev_cluster_size();
    return size.x * size.y * size.z;
}
CPUDEV_ALWAYS unsigned __clusterDimIsSpecified() { return cpudev_cluster_explicit(); }
CPUDEV_ALWAYS void __cluster_barrier_arrive_relaxed() { cpudev_cluster_arrive(); }
CPUDEV_ALWAYS void __cluster_barrier_arrive()
{
    cpudev_fence(1);
    cpudev_cluster_arrive();
}
CPUDEV_ALWAYS void __cluster_barrier_wait()
{
    cpudev_cluster_wait();
    cpudev_fence(1);
}
CPUDEV_ALWAYS unsigned __cluster_query_shared_rank(const void *p) { return cpudev_rank_of(cpudev_to_shared(p)); }
CPUDEV_ALWAYS void *__cluster_map_shared_rank(const void *p, unsigned rank) { return cpudev_map_shared_rank(p, rank); }
CPUDEV_ALWAYS unsigned __isClusterShared(const void *p) { return cpudev_to_shared(p) != 0; }
CPUDEV_ALWAYS unsigned __isShared(const void *p) { return cpudev_is_shared(p) != 0; }
CPUDEV_ALWAYS unsigned __isLocal(const void *p) { return cpudev_is_local(p) != 0; }
CPUDEV_ALWAYS unsigned __isGlobal(const void *p) { return !cpudev_is_cluster_shared(p) && !cpudev_is_local(p); }

#endif
