/* thrust/complex.h: thrust::complex<T>, the one part of Thrust that needs no parallel algorithm; PyTorch's headers ask a
 * CUDA compiler for it. The arithmetic is as Thrust's: no search for infinities, as C99's annex G has it. The functions
 * are the C++ library's; the two operands of an operator are of one type. */
#ifndef CPUDEVICE_THRUST_COMPLEX_H
#define CPUDEVICE_THRUST_COMPLEX_H

#include <complex>
#include <sstream>

namespace thrust
{

template <typename T> struct complex {
    typedef T value_type;

    constexpr complex(const T &re = T(), const T &im = T()) : re_(re), im_(im) {}
    template <typename U> constexpr complex(const complex<U> &z) : re_(T(z.real())), im_(T(z.imag())) {}
    template <typename U> constexpr complex(const std::complex<U> &z) : re_(T(z.real())), im_(T(z.imag())) {}

    constexpr T real() const { return re_; }
    constexpr T imag() const { return im_; }
    void real(T re) { re_ = re; }
    void imag(T im) { im_ = im; }
    operator std::complex<T>() const { return std::complex<T>(re_, im_); }

    template <typename U> complex &operator+=(const U &z) { return *this = *this + complex(z); }
    template <typename U> complex &operator-=(const U &z) { return *this = *this - complex(z); }
    template <typename U> complex &operator*=(const U &z) { return *this = *this * complex(z); }
    template <typename U> complex &operator/=(const U &z) { return *this = *this / complex(z); }

    friend complex operator+(const complex &x, const complex &y) { return complex(x.re_ + y.re_, x.im_ + y.im_); }
    friend complex operator-(const complex &x, const complex &y) { return complex(x.re_ - y.re_, x.im_ - y.im_); }
    friend complex operator*(const complex &x, const complex &y)
    {
        return complex(x.re_ * y.re_ - x.im_ * y.im_, x.re_ * y.im_ + x.im_ * y.re_);
    }
    friend complex operator/(const complex &x, const complex &y)
    {
        T scale = std::abs(y.re_) + std::abs(y.im_); /* so that no square overflows */
        T a = x.re_ / scale, b = x.im_ / scale, c = y.re_ / scale, d = y.im_ / scale, n = c * c + d * d;
        return complex((a * c + b * d) / n, (b * c - a * d) / n);
    }
    friend complex operator+(const complex &z) { return z; }
    friend complex operator-(const complex &z) { return complex(-z.re_, -z.im_); }
    friend constexpr bool operator==(const complex &x, const complex &y) { return x.re_ == y.re_ && x.im_ == y.im_; }
    friend constexpr bool operator!=(const complex &x, const complex &y) { return !(x == y); }

  private:
    T re_, im_;
};

template <typename T> T abs(const complex<T> &z) { return std::hypot(z.real(), z.imag()); }
template <typename T> T arg(const complex<T> &z) { return std::atan2(z.imag(), z.real()); }
template <typename T> T norm(const complex<T> &z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <typename T> complex<T> conj(const complex<T> &z) { return complex<T>(z.real(), -z.imag()); }
template <typename T> complex<T> polar(const T &r, const T &theta = T())
{
    return complex<T>(r * std::cos(theta), r * std::sin(theta));
}
template <typename T> complex<T> proj(const complex<T> &z) { return std::proj(std::complex<T>(z)); }

#define CPUDEVICE_COMPLEX_FUNCTION(name)                                                                               \
    template <typename T> complex<T> name(const complex<T> &z) { return std::name(std::complex<T>(z)); }
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

template <typename T> complex<T> pow(const complex<T> &x, const complex<T> &y)
{
    return std::pow(std::complex<T>(x), std::complex<T>(y));
}
template <typename T> complex<T> pow(const complex<T> &x, const T &y) { return std::pow(std::complex<T>(x), y); }
template <typename T> complex<T> pow(const T &x, const complex<T> &y) { return std::pow(x, std::complex<T>(y)); }

template <typename T, typename C, typename R>
std::basic_ostream<C, R> &operator<<(std::basic_ostream<C, R> &to, const complex<T> &z)
{
    return to << std::complex<T>(z);
}
template <typename T, typename C, typename R>
std::basic_istream<C, R> &operator>>(std::basic_istream<C, R> &from, complex<T> &z)
{
    std::complex<T> read;
    if (from >> read)
        z = read;
    return from;
}

} // namespace thrust

#endif
