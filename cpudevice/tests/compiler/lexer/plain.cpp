// Text without CUDA passes through byte for byte.
// BUILD: g++ -std=c++17 -E $case >$work/plain.ii
// TEST: plain C++ with the standard library is unchanged
// RUN: build/cpu/cucc-compile <$work/plain.ii | cmp $work/plain.ii -
// TEST: plain C++ is unchanged under --check
// RUN: build/cpu/cucc-compile --check <$work/plain.ii | cmp $work/plain.ii -
// TEST: an empty file
// RUN: build/cpu/cucc-compile </dev/null
// COUNT: 0 ^
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <thread>
#include <vector>
template <class T, int N = (4 > 2)> struct A { T v[N << 1]; std::vector<std::vector<T>> w; };
const char *s = "k<<<1,1>>>()", *r = R"tag(__global__ "void" )tag";
int shift(int a) { return a << 1 >> 1 << (a >> 2); }
template <class T> struct Out { template <class U> friend std::ostream &operator<<<>(std::ostream &, const Out<U> &); };
std::ostream &(*shown)(std::ostream &, const char *) = &std::operator<<<std::char_traits<char>>;
std::ostream &(*spaced)(std::ostream &, const char *) = &std::operator<< <std::char_traits<char> >;
int main() { int x = 0x1p3 + 1'000 + '"' + L'<'; while (x-- > 0); do x++; while (x < 3); asm volatile("" ::: "memory"); return x; }
