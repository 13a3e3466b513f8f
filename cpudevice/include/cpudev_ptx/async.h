/* async.h: PTX's cp.async ("Asynchronous copy: Non-bulk copy" of the PTX ISA). The bytes land when the thread waits for
 * their group, as late as they may on a GPU. */
#ifndef CPUDEV_PTX_ASYNC_H
#define CPUDEV_PTX_ASYNC_H

#include "../cpudev_async.h"
#include "memory.h"

namespace cpudev
{
namespace ptx
{

/* Of `size` bytes the first `valid` are copied, the others become zero. */
template <class __M, class... Hint>
CPUDEV_PTX void cp_async(uint64_t to, uint64_t from, unsigned size, unsigned valid, Hint...)
{
    cpudev_async_enqueue(cpudev_from_shared((uint32_t)to), (const void *)from, size, valid < size ? valid : size);
}
template <class __M> CPUDEV_PTX void cp_async(uint64_t to, uint64_t from, unsigned size)
{
    cp_async<__M>(to, from, size, size);
}
template <class __M> CPUDEV_PTX void cp_async_commit_group() { cpudev_async_commit(); }
template <class __M> CPUDEV_PTX void cp_async_wait_group(unsigned pending) { cpudev_async_wait(pending, false); }
template <class __M> CPUDEV_PTX void cp_async_wait_all() { cpudev_async_wait(0, true); }

} // namespace ptx
} // namespace cpudev
#endif
