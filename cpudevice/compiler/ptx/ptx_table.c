/* ptx_table.c: the PTX instructions that the CPU device knows, one line each, in the order of the PTX ISA's chapters.
 *
 * An instruction is an opcode, then modifiers and types in any order that the row allows: add.rn.ftz.f32. It becomes
 * ptx::FUNCTION<types..., ptx::mods<modifiers...>>(operands but the results). A row whose opcode is another's with more
 * dots (add.cc) is looked at first. Shapes are written m* in a row: m16n8k16, m64n128k16. */
#include "ptx/ptx.h"

#include <string.h>

#define INTS "s16 u16 s32 u32 s64 u64"
#define FLOATS "f32 f64"
#define HALVES "f16 f16x2 bf16 bf16x2"
#define BITS "b16 b32 b64"
#define WORDS "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"
#define ELEMENTS "f16 bf16 tf32 f64 s8 u8 s4 u4 b1 e4m3 e5m2"
#define ROUND "rn rz rm rp ftz sat"
#define COMPARE "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"
#define COMBINE "and or xor"
#define SPACES "global shared shared::cta shared::cluster local const param param::entry param::func"
#define ORDERS "relaxed acquire release acq_rel sc weak volatile mmio"
#define SCOPES "cta cluster gpu sys"
#define VIDEO "s32 u32; s32 u32; s32 u32"
#define LATE PTX_LATE
#define CACHE                                                                                                          \
    "ca cg cs lu cv wb wt nc L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "     \
    "L2::64B L2::128B L2::256B L2::cache_hint L2::evict_last L2::evict_normal L2::evict_first"

#define WMMA_MEMORY "aligned m* row col global shared shared::cta"
#define DIMENSIONS "1d 2d 3d 4d 5d"

const PtxRow ptx_table[] = {
    /* Integer arithmetic */
    {"add", INTS " u16x2 s16x2", "sat", 1, 3, 3, NULL, "Integer Arithmetic: add"},
    {"sub", INTS, "sat", 1, 3, 3, NULL, "Integer Arithmetic: sub"},
    {"mul", INTS, "lo hi wide", 1, 3, 3, "mul_int", "Integer Arithmetic: mul"},
    {"mad", INTS, "lo hi wide sat", 1, 4, 4, "mad_int", "Integer Arithmetic: mad"},
    {"mul24", "s32 u32", "lo hi", 1, 3, 3, NULL, "Integer Arithmetic: mul24"},
    {"mad24", "s32 u32", "lo hi sat", 1, 4, 4, NULL, "Integer Arithmetic: mad24"},
    {"sad", INTS, "", 1, 4, 4, NULL, "Integer Arithmetic: sad"},
    {"div", INTS, "", 1, 3, 3, "div_int", "Integer Arithmetic: div"},
    {"rem", INTS, "", 1, 3, 3, NULL, "Integer Arithmetic: rem"},
    {"abs", "s16 s32 s64", "", 1, 2, 2, "abs_int", "Integer Arithmetic: abs"},
    {"neg", "s16 s32 s64", "", 1, 2, 2, "neg_int", "Integer Arithmetic: neg"},
    {"min", INTS " u16x2 s16x2", "relu", 1, 3, 3, "min_int", "Integer Arithmetic: min"},
    {"max", INTS " u16x2 s16x2", "relu", 1, 3, 3, "max_int", "Integer Arithmetic: max"},
    {"popc", "b32 b64", "", 1, 2, 2, NULL, "Integer Arithmetic: popc"},
    {"clz", "b32 b64", "", 1, 2, 2, NULL, "Integer Arithmetic: clz"},
    {"bfind", "s32 u32 s64 u64", "shiftamt", 1, 2, 2, NULL, "Integer Arithmetic: bfind"},
    {"fns", "b32", "", 1, 4, 4, NULL, "Integer Arithmetic: fns"},
    {"brev", "b32 b64", "", 1, 2, 2, NULL, "Integer Arithmetic: brev"},
    {"bfe", "s32 u32 s64 u64", "", 1, 4, 4, NULL, "Integer Arithmetic: bfe"},
    {"bfi", "b32 b64", "", 1, 5, 5, NULL, "Integer Arithmetic: bfi"},
    {"szext", "s32 u32", "clamp wrap", 1, 3, 3, NULL, "Integer Arithmetic: szext"},
    {"bmsk", "b32", "clamp wrap", 1, 3, 3, NULL, "Integer Arithmetic: bmsk"},
    {"dp4a", "s32 u32; s32 u32", "", 1, 4, 4, NULL, "Integer Arithmetic: dp4a"},
    {"dp2a", "s32 u32; s32 u32", "lo hi", 1, 4, 4, NULL, "Integer Arithmetic: dp2a"},
    /* SIMD video instructions, without masks and selectors of lanes */
    {"vadd2", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vadd2"},
    {"vadd4", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vadd4"},
    {"vsub2", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vsub2"},
    {"vsub4", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vsub4"},
    {"vavrg2", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vavrg2"},
    {"vavrg4", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vavrg4"},
    {"vabsdiff2", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vabsdiff2"},
    {"vabsdiff4", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vabsdiff4"},
    {"vmin2", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vmin2"},
    {"vmin4", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vmin4"},
    {"vmax2", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vmax2"},
    {"vmax4", VIDEO, "sat add", 1, 4, 4, NULL, "Video Instructions: vmax4"},
    /* Extended-precision integer arithmetic: the carry flag is a variable of the asm statement */
    {"add.cc", "s32 u32 s64 u64", "", 1, 3, 3, "add_cc", "Extended-Precision Arithmetic: add.cc"},
    {"addc", "s32 u32 s64 u64", "cc", 1, 3, 3, "add_carry", "Extended-Precision Arithmetic: addc"},
    {"sub.cc", "s32 u32 s64 u64", "", 1, 3, 3, "sub_cc", "Extended-Precision Arithmetic: sub.cc"},
    {"subc", "s32 u32 s64 u64", "cc", 1, 3, 3, "sub_carry", "Extended-Precision Arithmetic: subc"},
    {"mad.lo.cc", "s32 u32 s64 u64", "", 1, 4, 4, "mad_lo_cc", "Extended-Precision Arithmetic: mad.cc"},
    {"mad.hi.cc", "s32 u32 s64 u64", "", 1, 4, 4, "mad_hi_cc", "Extended-Precision Arithmetic: mad.cc"},
    {"madc.lo", "s32 u32 s64 u64", "cc", 1, 4, 4, "mad_lo_carry", "Extended-Precision Arithmetic: madc"},
    {"madc.hi", "s32 u32 s64 u64", "cc", 1, 4, 4, "mad_hi_carry", "Extended-Precision Arithmetic: madc"},
    /* Floating point and half precision */
    {"testp", FLOATS, "finite infinite number notanumber normal subnormal", 1, 2, 2, NULL, "Floating Point: testp"},
    {"copysign", FLOATS, "", 1, 3, 3, NULL, "Floating Point: copysign"},
    {"add", FLOATS " " HALVES, ROUND, 1, 3, 3, "add_float", "Floating Point: add"},
    {"sub", FLOATS " " HALVES, ROUND, 1, 3, 3, "sub_float", "Floating Point: sub"},
    {"mul", FLOATS " " HALVES, ROUND, 1, 3, 3, "mul_float", "Floating Point: mul"},
    {"fma", FLOATS " " HALVES, ROUND " relu", 1, 4, 4, "fma_float", "Floating Point: fma"},
    {"mad", FLOATS, ROUND, 1, 4, 4, "fma_float", "Floating Point: mad"},
    {"div", FLOATS, ROUND " approx full", 1, 3, 3, "div_float", "Floating Point: div"},
    {"abs", FLOATS " " HALVES, "ftz", 1, 2, 2, "abs_float", "Floating Point: abs"},
    {"neg", FLOATS " " HALVES, "ftz", 1, 2, 2, "neg_float", "Floating Point: neg"},
    {"min", FLOATS " " HALVES, "ftz NaN xorsign abs", 1, 3, 4, "min_float", "Floating Point: min"},
    {"max", FLOATS " " HALVES, "ftz NaN xorsign abs", 1, 3, 4, "max_float", "Floating Point: max"},
    {"rcp", FLOATS, ROUND " approx", 1, 2, 2, "rcp_float", "Floating Point: rcp"},
    {"sqrt", FLOATS, ROUND " approx", 1, 2, 2, "sqrt_float", "Floating Point: sqrt"},
    {"rsqrt", FLOATS, "approx ftz", 1, 2, 2, "rsqrt_float", "Floating Point: rsqrt"},
    {"sin", "f32", "approx ftz", 1, 2, 2, "sin_float", "Floating Point: sin"},
    {"cos", "f32", "approx ftz", 1, 2, 2, "cos_float", "Floating Point: cos"},
    {"lg2", "f32", "approx ftz", 1, 2, 2, "lg2_float", "Floating Point: lg2"},
    {"ex2", "f32 " HALVES, "approx ftz", 1, 2, 2, "ex2_float", "Floating Point: ex2"},
    {"tanh", "f32 " HALVES, "approx", 1, 2, 2, "tanh_float", "Floating Point: tanh"},
    /* Comparison and selection */
    {"set", "u32 s32 f32 " HALVES "; " BITS " " INTS " " FLOATS " " HALVES, COMPARE " " COMBINE " ftz", 1, 3, 4, NULL,
     "Comparison and Selection: set"},
    {"setp", BITS " " INTS " " FLOATS " f16 bf16", COMPARE " " COMBINE " ftz", 1, 3, 4, NULL,
     "Comparison and Selection: setp"},
    {"setp", "f16x2 bf16x2", COMPARE " " COMBINE " ftz", 1, 3, 4, "setp_pair", "Half Precision Comparison: setp"},
    {"selp", BITS " " INTS " " FLOATS, "", 1, 4, 4, NULL, "Comparison and Selection: selp"},
    {"slct", BITS " " INTS " " FLOATS "; s32 f32", "ftz", 1, 4, 4, NULL, "Comparison and Selection: slct"},
    /* Logic and shift */
    {"and", "pred " BITS, "", 1, 3, 3, "and_bits", "Logic and Shift: and"},
    {"or", "pred " BITS, "", 1, 3, 3, "or_bits", "Logic and Shift: or"},
    {"xor", "pred " BITS, "", 1, 3, 3, "xor_bits", "Logic and Shift: xor"},
    {"not", "pred " BITS, "", 1, 2, 2, "not_bits", "Logic and Shift: not"},
    {"cnot", BITS, "", 1, 2, 2, NULL, "Logic and Shift: cnot"},
    {"lop3", "b32", "", 1, 5, 5, NULL, "Logic and Shift: lop3"},
    {"shf.l", "b32", "clamp wrap", 1, 4, 4, "shf_l", "Logic and Shift: shf"},
    {"shf.r", "b32", "clamp wrap", 1, 4, 4, "shf_r", "Logic and Shift: shf"},
    {"shl", BITS, "", 1, 3, 3, NULL, "Logic and Shift: shl"},
    {"shr", BITS " " INTS, "", 1, 3, 3, NULL, "Logic and Shift: shr"},
    /* Data movement and conversion */
    {"mov", "pred b128 " BITS " " INTS " " FLOATS " f16 f16x2 bf16 bf16x2", "", 1, 2, 2, NULL, "Data Movement: mov"},
    {"prmt", "b32", "f4e b4e rc8 ecl ecr rc16", 1, 4, 4, NULL, "Data Movement: prmt"},
    {"shfl.sync", "b32", "up down bfly idx", 1, 5, 5, "shfl_sync", "Data Movement: shfl.sync"},
    {"ld", WORDS, SPACES " " ORDERS " " SCOPES " " CACHE " v2 v4 v8 unified", 1, 2, 3, NULL, "Data Movement: ld"},
    {"ldu", WORDS, "global v2 v4", 1, 2, 2, "ld", "Data Movement: ldu"},
    {"st", WORDS, SPACES " " ORDERS " " SCOPES " " CACHE " v2 v4 v8", 0, 2, 3, NULL, "Data Movement: st"},
    {"st.async", "b32 b64 u32 u64 s32 s64 f32 f64", "weak shared::cluster mbarrier::complete_tx::bytes v2 v4", 0, 3, 3,
     "st_async", "Data Movement: st.async"},
    {"prefetch", "", SPACES " L1 L2 tensormap L2::evict_last L2::evict_normal", 0, 1, 1, NULL,
     "Data Movement: prefetch"},
    {"prefetchu", "", "L1", 0, 1, 1, "prefetch", "Data Movement: prefetchu"},
    {"discard", "", "global L2", 0, 2, 2, "discard", "Data Movement: discard"},
    {"applypriority", "", "global L2::evict_normal", 0, 2, 2, "applypriority", "Data Movement: applypriority"},
    {"createpolicy.fractional", "b64", "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged", 1, 1, 2,
     "createpolicy", "Data Movement: createpolicy"},
    {"isspacep", "", SPACES, 1, 2, 2, NULL, "Data Movement: isspacep"},
    {"cvta", "u32 u64", SPACES " to", 1, 2, 2, NULL, "Data Movement: cvta"},
    {"cvt",
     "s8 u8 " INTS " " FLOATS " " HALVES " e4m3x2 e5m2x2 tf32; s8 u8 " INTS " " FLOATS " " HALVES " e4m3x2 e5m2x2",
     "rn rz rm rp rna rni rzi rmi rpi ftz sat satfinite relu", 1, 2, 3, NULL, "Data Movement: cvt"},
    {"mapa", "u32 u64", "shared::cluster", 1, 3, 3, NULL, "Data Movement: mapa"},
    {"getctarank", "u32 u64", "shared::cluster", 1, 2, 2, NULL, "Data Movement: getctarank"},
    /* Control flow: bra is the printer's */
    {"exit", "", "", 0, 0, 0, NULL, "Control Flow: exit"},
    {"trap", "", "", 0, 0, 0, NULL, "Miscellaneous: trap"},
    {"brkpt", "", "", 0, 0, 0, NULL, "Miscellaneous: brkpt"},
    {"nanosleep", "u32", "", 0, 1, 1, NULL, "Miscellaneous: nanosleep"},
    {"pmevent", "", "mask", 0, 1, 1, NULL, "Miscellaneous: pmevent"},
    /* Synchronization and communication */
    {"barrier.sync", "", "aligned", 0, 1, 2, "bar_sync", "Synchronization: barrier"},
    {"barrier.cta.sync", "", "aligned", 0, 1, 2, "bar_sync", "Synchronization: barrier"},
    {"bar.sync", "", "", 0, 1, 2, "bar_sync", "Synchronization: bar"},
    {"bar.cta.sync", "", "", 0, 1, 2, "bar_sync", "Synchronization: bar"},
    {"bar.arrive", "", "", 0, 2, 2, "bar_arrive", "Synchronization: bar"},
    {"barrier.arrive", "", "aligned", 0, 2, 2, "bar_arrive", "Synchronization: barrier"},
    {"bar.red", "u32 pred", "popc and or", 1, 3, 4, "bar_red", "Synchronization: bar"},
    {"barrier.red", "u32 pred", "popc and or aligned", 1, 3, 4, "bar_red", "Synchronization: barrier"},
    {"bar.warp.sync", "", "", 0, 1, 1, "bar_warp_sync", "Synchronization: bar.warp.sync"},
    {"barrier.cluster.arrive", "", "release relaxed aligned", 0, 0, 0, "cluster_arrive",
     "Synchronization: barrier.cluster"},
    {"barrier.cluster.wait", "", "acquire aligned", 0, 0, 0, "cluster_wait", "Synchronization: barrier.cluster"},
    {"membar", "", "cta gl sys", 0, 0, 0, NULL, "Synchronization: membar"},
    {"fence.proxy", "", "alias async global shared::cta shared::cluster", 0, 0, 0, "fence_proxy",
     "Synchronization: fence"},
    {"fence.proxy.tensormap::generic", "", "acquire release cta cluster gpu sys", 0, 0, 2, "fence_proxy_tensormap",
     "Synchronization: fence"},
    {"fence.mbarrier_init", "", "release cluster", 0, 0, 0, "fence_mbarrier_init", "Synchronization: fence"},
    {"fence", "",
     "sc acq_rel acquire release cta cluster gpu sys sync_restrict::shared::cta sync_restrict::shared::cluster", 0, 0,
     0, NULL, "Synchronization: fence"},
    {"atom", "b16 b32 b64 b128 u32 u64 s32 s64 f32 f64 f16 f16x2 bf16 bf16x2",
     SPACES " " ORDERS " " SCOPES " add and or xor exch cas inc dec min max noftz L2::cache_hint", 1, 3, 5, NULL,
     "Synchronization: atom"},
    {"red", "b32 b64 u32 u64 s32 s64 f32 f64 f16 f16x2 bf16 bf16x2",
     SPACES " " ORDERS " " SCOPES " add and or xor inc dec min max noftz v2 v4 v8 L2::cache_hint", 0, 2, 3, NULL,
     "Synchronization: red"},
    {"red.async", "u32 s32 b32 u64",
     "relaxed cluster shared::cluster mbarrier::complete_tx::bytes add min max inc dec and or xor", 0, 3, 3,
     "red_async", "Synchronization: red.async"},
    {"vote", "pred b32", "sync all any uni ballot", 1, 3, 3, "vote_sync", "Synchronization: vote.sync"},
    {"match.any.sync", "b32 b64", "", 1, 3, 3, "match_any_sync", "Synchronization: match.sync"},
    {"match.all.sync", "b32 b64", "", 1, 3, 3, "match_all_sync", "Synchronization: match.sync"},
    {"activemask", "b32", "", 1, 1, 1, NULL, "Synchronization: activemask"},
    {"redux.sync", "u32 s32 b32", "add min max and or xor", 1, 3, 3, "redux_sync", "Synchronization: redux.sync"},
    {"griddepcontrol.launch_dependents", "", "", 0, 0, 0, "griddepcontrol_launch", "Synchronization: griddepcontrol"},
    {"griddepcontrol.wait", "", "", 0, 0, 0, "griddepcontrol_wait", "Synchronization: griddepcontrol"},
    {"elect.sync", "", "", 1, 2, 2, "elect_sync", "Synchronization: elect.sync"},
    /* Asynchronous copies that are not in bulk */
    {"cp.async", "", "ca cg shared shared::cta global L2::64B L2::128B L2::256B L2::cache_hint", 0, 3, 5, "cp_async",
     "Asynchronous Copy: cp.async"},
    {"cp.async.commit_group", "", "", 0, 0, 0, "cp_async_commit_group", "Asynchronous Copy: cp.async.commit_group"},
    {"cp.async.wait_group", "", "", 0, 1, 1, "cp_async_wait_group", "Asynchronous Copy: cp.async.wait_group"},
    {"cp.async.wait_all", "", "", 0, 0, 0, "cp_async_wait_all", "Asynchronous Copy: cp.async.wait_all"},
    {"cp.async.mbarrier.arrive", "b64", "noinc shared shared::cta", 0, 1, 1, "cp_async_mbarrier_arrive",
     "Synchronization: cp.async.mbarrier.arrive"},
    /* mbarriers */
    {"mbarrier.init", "b64", SPACES, 0, 2, 2, "mbarrier_init", "Synchronization: mbarrier.init"},
    {"mbarrier.inval", "b64", SPACES, 0, 1, 1, "mbarrier_inval", "Synchronization: mbarrier.inval"},
    {"mbarrier.expect_tx", "b64", SPACES " " ORDERS " " SCOPES, 0, 2, 2, "mbarrier_expect_tx",
     "Synchronization: mbarrier.expect_tx"},
    {"mbarrier.complete_tx", "b64", SPACES " " ORDERS " " SCOPES, 0, 2, 2, "mbarrier_complete_tx",
     "Synchronization: mbarrier.complete_tx"},
    {"mbarrier.arrive", "b64", SPACES " " ORDERS " " SCOPES " noComplete", 1, 2, 3, "mbarrier_arrive",
     "Synchronization: mbarrier.arrive"},
    {"mbarrier.arrive.expect_tx", "b64", SPACES " " ORDERS " " SCOPES, 1, 3, 3, "mbarrier_arrive_expect_tx",
     "Synchronization: mbarrier.arrive"},
    {"mbarrier.arrive_drop", "b64", SPACES " " ORDERS " " SCOPES " noComplete", 1, 2, 3, "mbarrier_arrive_drop",
     "Synchronization: mbarrier.arrive_drop"},
    {"mbarrier.arrive_drop.expect_tx", "b64", SPACES " " ORDERS " " SCOPES, 1, 3, 3, "mbarrier_arrive_drop_expect_tx",
     "Synchronization: mbarrier.arrive_drop"},
    {"mbarrier.test_wait", "b64", SPACES " " ORDERS " " SCOPES, 1, 3, 3, "mbarrier_test_wait",
     "Synchronization: mbarrier.test_wait"},
    {"mbarrier.test_wait.parity", "b64", SPACES " " ORDERS " " SCOPES, 1, 3, 3, "mbarrier_test_wait_parity",
     "Synchronization: mbarrier.test_wait"},
    {"mbarrier.try_wait", "b64", SPACES " " ORDERS " " SCOPES, 1, 3, 4, "mbarrier_try_wait",
     "Synchronization: mbarrier.try_wait"},
    {"mbarrier.try_wait.parity", "b64", SPACES " " ORDERS " " SCOPES, 1, 3, 4, "mbarrier_try_wait_parity",
     "Synchronization: mbarrier.try_wait"},
    {"mbarrier.pending_count", "b64", "", 1, 2, 2, "mbarrier_pending_count", "Synchronization: mbarrier.pending_count"},
    /* Bulk copies */
    {"cp.async.bulk.shared::cluster.global", "", "mbarrier::complete_tx::bytes multicast::cluster L2::cache_hint", 0, 4,
     6, "bulk_load", "Asynchronous Copy: cp.async.bulk"},
    {"cp.async.bulk.shared::cta.global", "", "mbarrier::complete_tx::bytes L2::cache_hint", 0, 4, 5, "bulk_load",
     "Asynchronous Copy: cp.async.bulk"},
    {"cp.async.bulk.shared::cluster.shared::cta", "", "mbarrier::complete_tx::bytes", 0, 4, 4, "bulk_send",
     "Asynchronous Copy: cp.async.bulk"},
    {"cp.async.bulk.global.shared::cta", "", "bulk_group L2::cache_hint", 0, 3, 4, "bulk_store",
     "Asynchronous Copy: cp.async.bulk"},
    {"cp.reduce.async.bulk.global.shared::cta", "f16 bf16 b32 u32 s32 b64 u64 s64 f32 f64",
     "bulk_group L2::cache_hint add min max inc dec and or xor noftz", 0, 3, 4, "bulk_reduce",
     "Asynchronous Copy: cp.reduce.async.bulk"},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta", "b32 u32 s32 b64 u64 s64",
     "mbarrier::complete_tx::bytes add min max inc dec and or xor", 0, 4, 4, "bulk_reduce_send",
     "Asynchronous Copy: cp.reduce.async.bulk"},
    {"cp.async.bulk.prefetch.L2.global", "", "L2::cache_hint", 0, 2, 3, "bulk_prefetch",
     "Asynchronous Copy: cp.async.bulk.prefetch"},
    {"cp.async.bulk.commit_group", "", "", 0, 0, 0, "bulk_commit_group",
     "Asynchronous Copy: cp.async.bulk.commit_group"},
    {"cp.async.bulk.wait_group", "", "", 0, 1, 1, "bulk_wait_group", "Asynchronous Copy: cp.async.bulk.wait_group"},
    {"cp.async.bulk.wait_group.read", "", "", 0, 1, 1, "bulk_wait_group_read",
     "Asynchronous Copy: cp.async.bulk.wait_group"},
    {"cp.async.bulk.tensor", "",
     DIMENSIONS " shared::cluster shared::cta global mbarrier::complete_tx::bytes multicast::cluster bulk_group "
                "L2::cache_hint tile im2col im2col_no_offs",
     0, 2, 6, "bulk_tensor", "Asynchronous Copy: cp.async.bulk.tensor"},
    {"cp.reduce.async.bulk.tensor", "",
     DIMENSIONS " shared::cta global bulk_group L2::cache_hint tile im2col_no_offs add min max inc dec and or xor", 0,
     2, 3, "bulk_tensor_reduce", "Asynchronous Copy: cp.reduce.async.bulk.tensor"},
    {"cp.async.bulk.prefetch.tensor", "", DIMENSIONS " L2 global L2::cache_hint tile im2col", 0, 1, 3,
     "bulk_tensor_prefetch", "Asynchronous Copy: cp.async.bulk.prefetch.tensor"},
    /* Warp-level matrices */
    {"ldmatrix.sync", "b16", "aligned m8n8 x1 x2 x4 trans shared shared::cta", 1, 2, 2, "ldmatrix", "Matrix: ldmatrix"},
    {"stmatrix.sync", "b16", "aligned m8n8 x1 x2 x4 trans shared shared::cta", 0, 2, 2, "stmatrix", "Matrix: stmatrix"},
    {"movmatrix.sync", "b16", "aligned m8n8 trans", 1, 2, 2, "movmatrix", "Matrix: movmatrix"},
    {"mma.sync", "f16 f32 f64 s32; " ELEMENTS "; " ELEMENTS "; f16 f32 f64 s32",
     "aligned m* row col satfinite xor and popc", 1, 4, 4, "mma_sync", "Matrix: mma"},
    {"mma.sp.sync", "f16 f32 s32; " ELEMENTS "; " ELEMENTS "; f16 f32 s32", "aligned m* row col satfinite", 1, 6, 6,
     "mma_sp_sync", "Matrix: mma.sp"},
    {"mma.sp::ordered_metadata.sync", "f16 f32 s32; " ELEMENTS "; " ELEMENTS "; f16 f32 s32",
     "aligned m* row col satfinite", 1, 6, 6, "mma_sp_sync", "Matrix: mma.sp"},
    {"wmma.load.a.sync", ELEMENTS, WMMA_MEMORY, 1, 2, 3, "wmma_load_a", "Matrix: wmma.load"},
    {"wmma.load.b.sync", ELEMENTS, WMMA_MEMORY, 1, 2, 3, "wmma_load_b", "Matrix: wmma.load"},
    {"wmma.load.c.sync", "f16 f32 f64 s32", WMMA_MEMORY, 1, 2, 3, "wmma_load_c", "Matrix: wmma.load"},
    {"wmma.store.d.sync", "f16 f32 f64 s32", WMMA_MEMORY, 0, 2, 3, "wmma_store_d", "Matrix: wmma.store"},
    {"wmma.mma", "f16 f32; f16 f32", "sync aligned m* row col satfinite", 1, 4, 4, "wmma_mma", "Matrix: wmma.mma"},
    {"wmma.mma", "f32 f64 s32; " ELEMENTS "; " ELEMENTS "; f32 f64 s32",
     "sync aligned m* row col satfinite xor and popc", 1, 4, 4, "wmma_mma", "Matrix: wmma.mma"},
    {"setmaxnreg.inc.sync", "u32", "aligned", 0, 1, 1, "setmaxnreg_inc", "Miscellaneous: setmaxnreg"},
    {"setmaxnreg.dec.sync", "u32", "aligned", 0, 1, 1, "setmaxnreg_dec", "Miscellaneous: setmaxnreg"},
    /* Asynchronous warpgroup-level matrices */
    {"wgmma.mma_async.sync", "f16 f32 s32; " ELEMENTS "; " ELEMENTS, "aligned m* satfinite and popc", LATE, 4, 8,
     "wgmma_mma_async", "Warpgroup Matrix: wgmma.mma_async"},
    {"wgmma.mma_async.sp.sync", "f16 f32 s32; " ELEMENTS "; " ELEMENTS, "aligned m* satfinite", LATE, 6, 10,
     "wgmma_mma_async_sp", "Warpgroup Matrix: wgmma.mma_async.sp"},
    {"wgmma.fence.sync", "", "aligned", 0, 0, 0, "wgmma_fence", "Warpgroup Matrix: wgmma.fence"},
    {"wgmma.commit_group.sync", "", "aligned", 0, 0, 0, "wgmma_commit_group", "Warpgroup Matrix: wgmma.commit_group"},
    {"wgmma.wait_group.sync", "", "aligned", 0, 1, 1, "wgmma_wait_group", "Warpgroup Matrix: wgmma.wait_group"},
};

const int ptx_rows = sizeof ptx_table / sizeof *ptx_table;

/* PTX ISA, "Special Registers" */
static const char special_registers[] =
    " tid.x tid.y tid.z ntid.x ntid.y ntid.z ctaid.x ctaid.y ctaid.z nctaid.x nctaid.y nctaid.z laneid warpid nwarpid "
    "smid"
    " nsmid lanemask_eq lanemask_lt lanemask_le lanemask_gt lanemask_ge clock clock_hi clock64 globaltimer"
    " globaltimer_lo globaltimer_hi clusterid.x clusterid.y clusterid.z nclusterid.x"
    " nclusterid.y nclusterid.z cluster_ctaid.x cluster_ctaid.y cluster_ctaid.z cluster_nctaid.x cluster_nctaid.y"
    " cluster_nctaid.z cluster_ctarank cluster_nctarank is_explicit_cluster ";

bool ptx_special_register(const char *name, int len)
{
    for (const char *p = special_registers + 1; *p; p += strcspn(p, " ") + 1)
        if ((int)strcspn(p, " ") == len && !strncmp(p, name, (size_t)len))
            return true;
    return false;
}
