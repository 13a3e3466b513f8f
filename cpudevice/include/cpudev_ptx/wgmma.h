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
template <class __A> constexpr bool has_signs()
{
    return element<__A>::bits != 1 && !std::is_same<__A, s8>::value && !std::is_same<__A, u8>::value;
}
template <class __A> constexpr bool has_transposes()
{
    return std::is_same<__A, f16>::value || std::is_same<__A, bf16>::value;
}

/* The form, with what the immediates say. A from registers has no imm-trans-a. */
template <class __D, class __A, class __B, class __M>
CPUDEV_PTX cpudev_wgmma_form wgmma_form(bool sparse, bool registers, const int *immediate, int immediates)
{
    cpudev_wgmma_form f = {};
    f.n = shape_of<__M>::n, f.k = shape_of<__M>::k;
    f.d = element<__D>::format, f.a = element<__A>::format, f.b = element<__B>::format;
    f.sparse = sparse, f.registers = registers;
    f.saturate = __M::has(m_satfinite), f.popc_and = __M::has(m_and);
    f.sign_a = f.sign_b = 1;
    if (has_signs<__A>() && immediates >= 2)
        f.sign_a = (int8_t)immediate[0], f.sign_b = (int8_t)immediate[1];
    if (has_transposes<__A>() && immediates == (registers ? 3 : 4)) {
        f.trans_a = !registers && immediate[2];
        f.trans_b = (uint8_t)immediate[immediates - 1];
    }
    return f;
}

/* 32-bit registers of D that a thread has. */
template <class __D, class __M> constexpr int wgmma_registers() { return shape_of<__M>::n * element<__D>::bits / 64; }
template <class __A, class... Imm> constexpr bool immediates_fit(bool registers)
{
    return (int)sizeof...(Imm) == (has_transposes<__A>() ? 4 - registers : has_signs<__A>() ? 2 : 0);
}

template <class __D, class __A, class __B, class __M, class... Imm>
CPUDEV_PTX void wgmma_mma_async(const vec<void *, wgmma_registers<__D, __M>()> &d, uint64_t a, uint64_t b,
                                bool accumulate, Imm... immediate)
{
    static_assert(shape_of<__M>::m == 64, "wgmma multiplies 64 rows");
    static_assert(immediates_fit<__A, Imm...>(false), "wgmma.mma_async has other immediates for these types");
    const int list[] = {(int)immediate..., 0};
    const cpudev_wgmma_form form = wgmma_form<__D, __A, __B, __M>(false, false, list, sizeof...(Imm));
    const cpudev_wgmma_operands operands = {a, b, {}, 0, 0, accumulate};
    cpudev_wgmma(&form, (uint32_t *const *)d.v, &operands);
}
template <class __D, class __A, class __B, class __M, class... Imm>
CPUDEV_PTX void wgmma_mma_async(const vec<void *, wgmma_registers<__D, __M>()> &d, const vec<uint32_t, 4> &a,
                                uint64_t b, bool accumulate, Imm... immediate)
{
    static_assert(shape_of<__M>::m == 64, "wgmma multiplies 64 rows");
    static_assert(immediates_fit<__A, Imm...>(true), "wgmma.mma_async has other immediates for these types");
    const int list[] = {(int)immediate..., 0};
    const cpudev_wgmma_form form = wgmma_form<__D, __A, __B, __M>(false, true, list, sizeof...(Imm));
    const cpudev_wgmma_operands operands = {0, b, {a.v[0], a.v[1], a.v[2], a.v[3]}, 0, 0, accumulate};
    cpudev_wgmma(&form, (uint32_t *const *)d.v, &operands);
}
template <class __D, class __A, class __B, class __M, class... Imm>
CPUDEV_PTX void wgmma_mma_async_sp(const vec<void *, wgmma_registers<__D, __M>()> &d, uint64_t a, uint64_t b,
                                   uint32_t metadata, uint32_t selector, bool accumulate, Imm... immediate)
{
    static_assert(shape_of<__M>::m == 64, "wgmma multiplies 64 rows");
    static_assert(immediates_fit<__A, Imm...>(false), "wgmma.mma_async.sp has other immediates for these types");
    const int list[] = {(int)immediate..., 0};
    const cpudev_wgmma_form form = wgmma_form<__D, __A, __B, __M>(true, false, list, sizeof...(Imm));
    const cpudev_wgmma_operands operands = {a, b, {}, metadata, selector, accumulate};
    cpudev_wgmma(&form, (uint32_t *const *)d.v, &operands);
}
template <class __D, class __A, class __B, class __M, class... Imm>
CPUDEV_PTX void wgmma_mma_async_sp(const vec<void *, wgmma_registers<__D, __M>()> &d, const vec<uint32_t, 4> &a,
                                   uint64_t b, uint32_t metadata, uint32_t selector, bool accumulate, Imm... immediate)
{
    static_assert(shape_of<__M>::m == 64, "wgmma multiplies 64 rows");
    static_assert(immediates_fit<__A, Imm...>(true), "wgmma.mma_async.sp has other immediates for these types");
    const int list[] = {(int)immediate..., 0};
    const cpudev_wgmma_form form = wgmma_form<__D, __A, __B, __M>(true, true, list, sizeof...(Imm));
    const cpudev_wgmma_operands operands = {0, b, {a.v[0], a.v[1], a.v[2], a.v[3]}, metadata, selector, accumulate};
    cpudev_wgmma(&form, (uint32_t *const *)d.v, &operands);
}

template <class __T, class __M> CPUDEV_PTX void setmaxnreg_inc(uint32_t registers) { cpudev_setmaxnreg(registers, 1); }
template <class __T, class __M> CPUDEV_PTX void setmaxnreg_dec(uint32_t registers) { cpudev_setmaxnreg(registers, 0); }
template <class __M> CPUDEV_PTX void wgmma_fence() { cpudev_wgmma_fence(); }
template <class __M> CPUDEV_PTX void wgmma_commit_group() { cpudev_wgmma_commit(); }
template <class __M> CPUDEV_PTX void wgmma_wait_group(uint32_t pending) { cpudev_wgmma_wait(pending); }

} // namespace ptx
} // namespace cpudev
#endif
