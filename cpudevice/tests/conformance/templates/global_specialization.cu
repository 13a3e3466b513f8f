// A template of a namespace is specialized with its name written from the global namespace, which g++ alone refuses.
// alone
#include "conformance.h"

namespace outer {
namespace inner {
template <class T> struct size_of {
    static const int value = 1;
};
template <class T, class U> class pair_of {
  public:
    static const int value = 2;
};
} // namespace inner
struct base {
    static const int more = 30;
};
} // namespace outer

struct mine {
};
template <> struct ::outer::inner::size_of<mine> : ::outer::base {
    static const int value = 10;
};
template <> class ::outer::inner::pair_of<outer::inner::size_of<mine>, int> {
  public:
    static const int value = 200;
};

__global__ void sum(int *o)
{
    struct ::mine unused;
    (void)unused;
    o[threadIdx.x] = outer::inner::size_of<mine>::value + outer::inner::size_of<mine>::more +
                     outer::inner::pair_of<outer::inner::size_of<mine>, int>::value + outer::inner::size_of<int>::value;
}

int main()
{
    int *out = managed(T);
    sum<<<1, T>>>(out);
    return check(out, T, [](int) { return 10 + 30 + 200 + 1; });
}
