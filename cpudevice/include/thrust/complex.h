/* thrust/complex.h: thrust::complex<__T>, the one part of Thrust that needs no parallel algorithm; PyTorch's headers ask a
 * CUDA compiler for it. The arithmetic is as Thrust's: no search for infinities, as C99's annex G has it. The functions
 * are the C++ library's; the two operands of an operator are of one type. */
#ifndef CPUDEVICE_THRUST_COMPLEX_H
#define CPUDEVICE_THRUST_COMPLEX_H

#include <complex>
#include <sstream>

namespace thrust
{

template <typename __T> struct complex {
    typedef __T value_type;

    constexpr complex(const __T &re = __T(), const __T &im = __T()) : re_(re), im_(im) {}
    template <typename __U> constexpr complex(const complex<__U> &z) : re_(__T(z.real())), im_(__T(z.imag())) {}
    template <typename __U> constexpr complex(const std::complex<__U> &z) : re_(__T(z.real())), im_(__T(z.imag())) {}

    constexpr __T real() const { return re_; }
    constexpr __T imag() const { return im_; }
    void real(__T re) { re_ = re; }
    void imag(__T im) { im_ = im; }
    operator std::complex<__T>() const { return std::complex<__T>(re_, im_); }

    template <typename __U> complex &operator+=(const __U &z) { return *this = *this + complex(z); }
    template <typename __U> complex &operator-=(const __U &z) { return *this = *this - complex(z); }
    template <typename __U> complex &operator*=(const __U &z) { return *this = *this * complex(z); }
    template <typename __U> complex &operator/=(const __U &z) { return *this = *this / complex(z); }

    friend complex operator+(const complex &x, const complex &y) { return complex(x.re_ + y.re_, x.im_ + y.im_); }
    friend complex operator-(const complex &x, const complex &y) { return complex(x.re_ - y.re_, x.im_ - y.im_); }
    friend complex operator*(const complex &x, const complex &y)
    {
        return complex(x.re_ * y.re_ - x.im_ * y.im_, x.re_ * y.im_ + x.im_ * y.re_);
    }
    friend complex operator/(const complex &x, const complex &y)
    {
        __T scale = std::abs(y.re_) + std::abs(y.im_); /* so that no square overflows */
        __T a = x.re_ / scale, b = x.im_ / scale, c = y.re_ / scale, d = y.im_ / scale, n = c * c + d * d;
        return complex((a * c + b * d) / n, (b * c - a * d) / n);
    }
    friend complex operator+(const complex &z) { return z; }
    friend complex operator-(const complex &z) { return complex(-z.re_, -z.im_); }
    friend constexpr bool operator==(const complex &x, const complex &y) { return x.re_ == y.re_ && x.im_ == y.im_; }
    friend constexpr bool operator!=(const complex &x, const complex &y) { return !(x == y); }

  private:
    __T re_, im_;
};

template <typename __T> __T abs(const complex<__T> &z) { return std::hypot(z.real(), z.imag()); }
template <typename __T> __T arg(const complex<__T> &z) { return std::atan2(z.imag(), z.real()); }
template <typename __T> __T norm(const complex<__T> &z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <typename __T> complex<__T> conj(const complex<__T> &z) { return complex<__T>(z.real(), -z.imag()); }
template <typename __T> complex<__T> polar(const __T &r, const __T &theta = __T())
{
    return complex<__T>(r * std::cos(theta), r * std::sin(theta));
}
template <typename __T> complex<__T> proj(const complex<__T> &z) { return std::proj(std::complex<__T>(z)); }

#define CPUDEVICE_COMPLEX_FUNCTION(name)                                                                               \
    template <typename __T> complex<__T> name(const complex<__T> &z) { return std::name(std::complex<__T>(z)); }
CPUDEVICE_COMPLEX_FUNCTION(exp)
CPUDEVICE_COMPLEX_FUNCTION(log)
CPUDEVICE_COMPLEX_FUNCTION(log10)
CPUDEVICE_COMPLEX_FUNCTION(sqrt)
CPUDEVICE_COMPLEX_FUNCTION(sin)
CPUDEVICE_COMPLEX_FUNCTION(cos)
CPUDEVICE_COMPLEX_FUNCTION(tan)
CPUDEVICE_COMPLEX_FUNCTION(asin)
CPUDEVICE_COMPLEX_FUNCTION(acos)
CPUDEVICE_COMPLEX_FUNCTION(atan)
CPUDEVICE_COMPLEX_FUNCTION(sinh)
CPUDEVICE_COMPLEX_FUNCTION(cosh)
CPUDEVICE_COMPLEX_FUNCTION(tanh)
CPUDEVICE_COMPLEX_FUNCTION(asinh)
CPUDEVICE_COMPLEX_FUNCTION(acosh)
CPUDEVICE_COMPLEX_FUNCTION(atanh)
#undef CPUDEVICE_COMPLEX_FUNCTION

template <typename __T> complex<__T> pow(const complex<__T> &x, const complex<__T> &y)
{
    return std::pow(std::complex<__T>(x), std::complex<__T>(y));
}
template <typename __T> complex<__T> pow(const complex<__T> &x, const __T &y)
{
    return std::pow(std::complex<__T>(x), y);
}
template <typename __T> complex<__T> pow(const __T &x, const complex<__T> &y)
{
    return std::pow(x, std::complex<__T>(y));
}

template <typename __T, typename __C, typename __R>
std::basic_ostream<__C, __R> &operator<<(std::basic_ostream<__C, __R> &to, const complex<__T> &z)
{
    return to << std::complex<__T>(z);
}
template <typename __T, typename __C, typename __R>
std::basic_istream<__C, __R> &operator>>(std::basic_istream<__C, __R> &from, complex<__T> &z)
{
    std::complex<__T> read;
    if (from >> read)
        z = read;
    return from;
}

} // namespace thrust

#endif
