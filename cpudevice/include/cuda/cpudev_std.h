// cpudev_std.h: cuda::std is std.
#ifndef CPUDEV_CUDA_STD_H
#define CPUDEV_CUDA_STD_H

#include <cstddef>

namespace cuda
{
namespace std
{
using namespace ::std;
}
} // namespace cuda

#endif
