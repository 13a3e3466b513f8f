/* video.h: the SIMD video instructions, on four bytes or two halves of a register: vadd4, vabsdiff2 and their like.
 *
 * A lane is extended by its operand's type, the sum and the rest are exact, .sat clamps them to the result's type, and
 * .add adds all lanes to c instead of putting them side by side. Masks and selectors of lanes are refused. */
#ifndef CPUDEV_PTX_VIDEO_H
#define CPUDEV_PTX_VIDEO_H
#include "integer.h"

namespace cpudev
{
namespace ptx
{

template <class __T, int BITS> CPUDEV_PTX int video_lane(uint32_t v, int lane)
{
    const uint32_t x = v >> lane * BITS & ((1u << BITS) - 1);
    return __T::is_signed && x >> (BITS - 1) ? (int)x - (1 << BITS) : (int)x;
}

/* f on the lanes of a and b; the result of type D. */
template <int BITS, class __D, class __A, class __B, class __M, class __F>
CPUDEV_PTX uint32_t video(uint32_t a, uint32_t b, uint32_t c, __F f)
{
    const int low = __D::is_signed ? -(1 << (BITS - 1)) : 0,
              high = __D::is_signed ? (1 << (BITS - 1)) - 1 : (1 << BITS) - 1;
    uint32_t result = __M::has(m_add) ? c : 0;
    for (int lane = 0; lane < 32 / BITS; lane++) {
        int x = f(video_lane<__A, BITS>(a, lane), video_lane<__B, BITS>(b, lane));
        if (__M::has(m_sat))
            x = x < low ? low : x > high ? high : x;
        if (__M::has(m_add))
            result += (uint32_t)x;
        else
            result |= ((uint32_t)x & ((1u << BITS) - 1)) << lane * BITS;
    }
    return result;
}

#define CPUDEV_PTX_VIDEO(name, expression)                                                                             \
    template <class __D, class __A, class __B, class __M>                                                              \
    CPUDEV_PTX uint32_t name##4(uint32_t a, uint32_t b, uint32_t c)                                                    \
    {                                                                                                                  \
        return video<8, __D, __A, __B, __M>(a, b, c, [](int x, int y) { return expression; });                         \
    }                                                                                                                  \
    template <class __D, class __A, class __B, class __M>                                                              \
    CPUDEV_PTX uint32_t name##2(uint32_t a, uint32_t b, uint32_t c)                                                    \
    {                                                                                                                  \
        return video<16, __D, __A, __B, __M>(a, b, c, [](int x, int y) { return expression; });                        \
    }
CPUDEV_PTX_VIDEO(vadd, x + y)
CPUDEV_PTX_VIDEO(vsub, x - y)
CPUDEV_PTX_VIDEO(vavrg, x + y >= 0 ? (x + y + 1) >> 1 : (x + y) >> 1)
CPUDEV_PTX_VIDEO(vabsdiff, x > y ? x - y : y - x)
CPUDEV_PTX_VIDEO(vmin, x < y ? x : y)
CPUDEV_PTX_VIDEO(vmax, x > y ? x : y)
#undef CPUDEV_PTX_VIDEO

} // namespace ptx
} // namespace cpudev
#endif
