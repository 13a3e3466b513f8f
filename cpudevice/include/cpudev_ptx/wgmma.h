/* wgmma.h: PTX's asynchronous warpgroup-level matrix products ("Asynchronous Warpgroup Level Matrix Instructions" of the
 * PTX ISA): wgmma.mma_async dense and sparse, wgmma.fence, wgmma.commit_group, wgmma.wait_group; and setmaxnreg. */
#ifndef CPUDEV_PTX_WGMMA_FAMILY_H
#define CPUDEV_PTX_WGMMA_FAMILY_H

#include "../cpudev_abi.h"
#include "mma.h"

namespace cpudev
{
namespace ptx
{

/* Does this type's product take imm-scale-a and -b, and imm-trans-a and -b behind scale-d? */
template <class A> constexpr bool has_signs()
{
    return element<A>::bits != 1 && !std::is_same<A, s8>::value && !std::is_same<A, u8>::value;
}
template <class A> constexpr bool has_transposes()
{
    return std::is_same<A, f16>::value || std::is_same<A, bf16>::value;
}

/* The form, with what the immediates say. A from registers has no imm-trans-a. */
template <class D, class A, class B, class M>
CPUDEV_PTX cpudev_wgmma_form wgmma_form(bool sparse, bool registers, const int *immediate, int immediates)
{
    cpudev_wgmma_form f = {};
    f.n = shape_of<M>::n, f.k = shape_of<M>::k;
    f.d = element<D>::format, f.a = element<A>::format, f.b = element<B>::format;
    f.sparse = sparse, f.registers = registers;
    f.saturate = M::has(m_satfinite), f.popc_and = M::has(m_and);
    f.sign_a = f.sign_b = 1;
    if (has_signs<A>() && immediates >= 2)
        f.sign_a = (int8_t)immediate[0], f.sign_b = (int8_t)immediate[1];
    if (has_transposes<A>() && immediates == (registers ? 3 : 4)) {
        f.trans_a = !registers && immediate[2];
        f.trans_b = (uint8_t)immediate[immediates - 1];
    }
    return f;
}

/* 32-bit registers of D that a thread has. */
template <class D, class M> constexpr int wgmma_registers() { return shape_of<M>::n * element<D>::bits / 64; }
template <class A, class... Imm> constexpr bool immediates_fit(bool registers)
{
    return (int)sizeof...(Imm) == (has_transposes<A>() ? 4 - registers : has_signs<A>() ? 2 : 0);
}

template <class D, class A, class B, class M, class... Imm>
CPUDEV_PTX void wgmma_mma_async(const vec<void *, wgmma_registers<D, M>()> &d, uint64_t a, uint64_t b, bool accumulate,
                                Imm... immediate)
{
    static_assert(shape_of<M>::m == 64, "wgmma multiplies 64 rows");
    static_assert(immediates_fit<A, Imm...>(false), "wgmma.mma_async has other immediates for these types");
    const int list[] = {(int)immediate..., 0};
    const cpudev_wgmma_form form = wgmma_form<D, A, B, M>(false, false, list, sizeof...(Imm));
    const cpudev_wgmma_operands operands = {a, b, {}, 0, 0, accumulate};
    cpudev_wgmma(&form, (uint32_t *const *)d.v, &operands);
}
template <class D, class A, class B, class M, class... Imm>
CPUDEV_PTX void wgmma_mma_async(const vec<void *, wgmma_registers<D, M>()> &d, const vec<uint32_t, 4> &a, uint64_t b,
                                bool accumulate, Imm... immediate)
{
    static_assert(shape_of<M>::m == 64, "wgmma multiplies 64 rows");
    static_assert(immediates_fit<A, Imm...>(true), "wgmma.mma_async has other immediates for these types");
    const int list[] = {(int)immediate..., 0};
    const cpudev_wgmma_form form = wgmma_form<D, A, B, M>(false, true, list, sizeof...(Imm));
    const cpudev_wgmma_operands operands = {0, b, {a.v[0], a.v[1], a.v[2], a.v[3]}, 0, 0, accumulate};
    cpudev_wgmma(&form, (uint32_t *const *)d.v, &operands);
}
template <class D, class A, class B, class M, class... Imm>
CPUDEV_PTX void wgmma_mma_async_sp(const vec<void *, wgmma_registers<D, M>()> &d, uint64_t a, uint64_t b,
                                   uint32_t metadata, uint32_t selector, bool accumulate, Imm... immediate)
{
    static_assert(shape_of<M>::m == 64, "wgmma multiplies 64 rows");
    static_assert(immediates_fit<A, Imm...>(false), "wgmma.mma_async.sp has other immediates for these types");
    const int list[] = {(int)immediate..., 0};
    const cpudev_wgmma_form form = wgmma_form<D, A, B, M>(true, false, list, sizeof...(Imm));
    const cpudev_wgmma_operands operands = {a, b, {}, metadata, selector, accumulate};
    cpudev_wgmma(&form, (uint32_t *const *)d.v, &operands);
}
template <class D, class A, class B, class M, class... Imm>
CPUDEV_PTX void wgmma_mma_async_sp(const vec<void *, wgmma_registers<D, M>()> &d, const vec<uint32_t, 4> &a, uint64_t b,
                                   uint32_t metadata, uint32_t selector, bool accumulate, Imm... immediate)
{
    static_assert(shape_of<M>::m == 64, "wgmma multiplies 64 rows");
    static_assert(immediates_fit<A, Imm...>(true), "wgmma.mma_async.sp has other immediates for these types");
    const int list[] = {(int)immediate..., 0};
    const cpudev_wgmma_form form = wgmma_form<D, A, B, M>(true, true, list, sizeof...(Imm));
    const cpudev_wgmma_operands operands = {0, b, {a.v[0], a.v[1], a.v[2], a.v[3]}, metadata, selector, accumulate};
    cpudev_wgmma(&form, (uint32_t *const *)d.v, &operands);
}

template <class T, class M> CPUDEV_PTX void setmaxnreg_inc(uint32_t registers) { cpudev_setmaxnreg(registers, 1); }
template <class T, class M> CPUDEV_PTX void setmaxnreg_dec(uint32_t registers) { cpudev_setmaxnreg(registers, 0); }
template <class M> CPUDEV_PTX void wgmma_fence() { cpudev_wgmma_fence(); }
template <class M> CPUDEV_PTX void wgmma_commit_group() { cpudev_wgmma_commit(); }
template <class M> CPUDEV_PTX void wgmma_wait_group(uint32_t pending) { cpudev_wgmma_wait(pending); }

} // namespace ptx
} // namespace cpudev
#endif
