/* cpudev_lanes.h: what the lanes of a block's warps exchange by shuffles, where the compiler has split the kernel at them
 * (compiler/kernel/lanes.c): each thread comes with a value and the lane that it asks; when all threads have, exchange() hands the
 * values over; each takes what it got. Device side; threads are counted as in the block, x first. */
#ifndef CPUDEV_LANES_H
#define CPUDEV_LANES_H

#ifdef __cplusplus

namespace cpudev
{
/* The thread's number in its block, in which g++ sees that neighbours in x are neighbours. */
CPUDEV_ALWAYS unsigned long thread_of(const uint3 me, const dim3 size)
{
    return me.x + (unsigned long)size.x * (me.y + (unsigned long)size.y * me.z);
}
struct lanes {
    unsigned long long given[1024], got[1024];
    unsigned mask[1024] = {}; /* whom the thread's shuffle names; 0: it has not come */
    unsigned char from[1024]; /* the lane whose value it asks for */
    unsigned live[32] = {};   /* by warp: the lanes that take part in the kernel */
    unsigned warps;

    __attribute__((noinline)) explicit lanes(const dim3 size) : warps((size.x * size.y * size.z + 31) / 32)
    {
        const unsigned threads = size.x * size.y * size.z;
        for (unsigned w = 0; w < warps; w++)
            live[w] = threads - w * 32 >= 32 ? ~0u : (1u << (threads - w * 32)) - 1;
    }
    lanes(const dim3 size, const boxes &those) : warps((size.x * size.y * size.z + 31) / 32)
    {
        for_threads<false>(those, [&](const uint3 me, unsigned long) {
            const unsigned long t = thread_of(me, size);
            live[t / 32] |= 1u << t % 32;
        });
    }
    /* last: lanes that do not come now end without waiting for others, and are not waited for. */
    __attribute__((noinline)) void exchange(bool last) /* once in a program, which is compiled sooner */
    {
        for (unsigned w = 0; w < warps; w++) {
            const unsigned base = w * 32;
            unsigned named = live[w];
            for (unsigned i = 0; i < 32; i++)
                named &= mask[base + i];
            if (named == ~0u)
                for (unsigned i = 0; i < 32; i++)
                    got[base + i] = given[base + from[base + i]];
            else
                exchange_some(base, last);
        }
        memset(mask, 0, warps * 32 * sizeof *mask);
    }
    /* The warp that begins with the thread `base`, of which some lanes have come, or with different masks. */
    __attribute__((noinline)) void exchange_some(unsigned base, bool last)
    {
        unsigned came = 0;
        for (unsigned i = 0; i < 32; i++)
            came |= (unsigned)(mask[base + i] != 0) << i;
        const unsigned here = last ? live[base / 32] & came : live[base / 32];
        for (unsigned i = 0; i < 32; i++) {
            if (!mask[base + i])
                continue;
            unsigned alike = 0; /* the lanes that have come with this mask */
            for (unsigned k = 0; k < 32; k++)
                alike |= (unsigned)(mask[base + k] == mask[base + i]) << k;
            const unsigned named = mask[base + i] & here;
            if (named & ~alike)
                cpudev_lane_missing(base + i, mask[base + i], named & ~alike);
            got[base + i] = given[base + (named >> from[base + i] & 1 ? from[base + i] : i)];
        }
    }
};

/* A thread comes to a shuffle. The value has up to 8 bytes. */
template <class __T> CPUDEV_ALWAYS void come(lanes &l, unsigned long t, unsigned mask, __T value, int from)
{
    static_assert(sizeof(__T) <= 8 && std::is_trivially_copyable<__T>::value, "a shuffle of more than 8 bytes");
    const int lane = (int)t & 31;
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    l.given[t] = bits;
    l.mask[t] = mask | 1u << lane;
    l.from[t] = (unsigned char)(from & ~31 ? lane : from);
}
} // namespace cpudev

#define CPUDEV_COME(kind, type)                                                                                        \
    template <class __T>                                                                                               \
    CPUDEV_ALWAYS void cpudev_come_##kind(::cpudev::lanes &l, const uint3 me, const dim3 size, unsigned mask,          \
                                          __T value, type arg, int width = 32)                                         \
    {                                                                                                                  \
        const unsigned long t = ::cpudev::thread_of(me, size);                                                         \
        ::cpudev::come(l, t, mask, value, ::cpudev::asked_##kind((int)t & 31, arg, width));                            \
    }
CPUDEV_COME(idx, int)
CPUDEV_COME(up, unsigned)
CPUDEV_COME(down, unsigned)
CPUDEV_COME(xor, int)
#undef CPUDEV_COME

/* What the thread got. The value that it came with gives the type alone. */
template <class __T> CPUDEV_ALWAYS __T cpudev_came(const ::cpudev::lanes &l, const uint3 me, const dim3 size, __T value)
{
    memcpy(&value, &l.got[::cpudev::thread_of(me, size)], sizeof value);
    return value;
}

#endif
#endif
