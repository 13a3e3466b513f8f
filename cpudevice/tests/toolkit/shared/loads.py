"""The driver interface by ctypes, against what Python computes."""

# BUILD: $cucc --build-toolkit
# BUILD: $cucc -cubin -o $work/f.cubin $folder/kernel/f.cu
# TEST: devices, contexts, memory, copies and fills
# RUN: with_driver python3 $case memory
# MATCHES: ^right$
# TEST: libcudart.so.13 is the same CPU device
# RUN: with_driver python3 $case runtime
# MATCHES: ^right$
# TEST: a module's kernel
# RUN: with_driver python3 $case module $work/f.cubin
# MATCHES: ^right$
# TEST: PTX is refused, with the reason in the error log
# RUN: with_driver python3 $case ptx
# MATCHES: ^right$
# MATCHES: ^CPU device: cuModuleLoad: the image is PTX, which the CPU device does not compile
# TEST: functions by name
# RUN: with_driver python3 $case names
# MATCHES: ^right$
# COUNT: 1 ^CPU device: cuGetProcAddress: libcuda.so.1 has no functions for default streams
from __future__ import annotations

import ctypes
import re
import sys
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

driver = ctypes.CDLL("libcuda.so.1")
N = 1000
PTX = b"//\n.version 8.7\n.target sm_90\n.address_size 64\n.visible .entry f() { ret; }\n"


def good(result: int) -> None:
    assert result == 0, result


def context() -> c_void_p:
    made = c_void_p()
    good(driver.cuInit(0))
    good(driver.cuCtxCreate_v2(byref(made), 0, 0))
    return made


def allocated(size: int) -> c_uint64:
    p = c_uint64()
    good(driver.cuMemAlloc_v2(byref(p), c_size_t(size)))
    return p


def copied(p: c_uint64, n: int = N) -> list[int]:
    values = (c_int * n)()
    good(driver.cuMemcpyDtoH_v2(values, p, c_size_t(4 * n)))
    return list(values)


def memory() -> None:
    number, name, now = c_int(), ctypes.create_string_buffer(100), c_void_p()
    made = context()
    good(driver.cuDeviceGetCount(byref(number)))
    assert number.value == 1
    good(driver.cuDeviceGetName(name, 100, 0))
    assert name.value.startswith(b"CPU device (")
    good(driver.cuCtxGetCurrent(byref(now)))
    assert now.value == made.value
    p, q = allocated(4 * N), allocated(4 * N)
    values = (c_int * N)(*(7 * i - 3 for i in range(N)))
    good(driver.cuMemcpyHtoD_v2(p, values, c_size_t(4 * N)))
    good(driver.cuMemcpyDtoD_v2(q, p, c_size_t(4 * N)))
    good(driver.cuMemsetD32_v2(p, 9, c_size_t(N // 2)))
    assert copied(q) == [7 * i - 3 for i in range(N)]
    assert copied(p) == [9 if i < N // 2 else 7 * i - 3 for i in range(N)]
    assert driver.cuMemcpyDtoH_v2(values, c_uint64(p.value + 4 * N), c_size_t(4)) != 0
    good(driver.cuMemFree_v2(p))
    assert driver.cuMemFree_v2(p) != 0
    good(driver.cuCtxDestroy_v2(made))


def runtime() -> None:
    library = ctypes.CDLL("libcudart.so.13")
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {line.split()[4] for line in maps if re.search(r"/libcuda(rt)?\.so", line)}
    assert len(files) == 1, files  # one inode
    p = c_uint64()
    good(library.cudaMalloc(byref(p), c_size_t(4 * N)))
    good(driver.cuMemsetD32_v2(p, 4, c_size_t(N)))
    assert copied(p) == [4] * N
    good(driver.cuMemFree_v2(p))
    assert library.cudaFree(p) != 0


def module(file: str) -> None:
    context()
    loaded, function, extra, size = c_void_p(), c_void_p(), c_uint64(), c_size_t()
    good(driver.cuModuleLoad(byref(loaded), file.encode()))
    good(driver.cuModuleGetFunction(byref(function), loaded, b"f"))
    good(driver.cuModuleGetGlobal_v2(byref(extra), byref(size), loaded, b"extra"))
    assert size.value == 4 and copied(extra, 1) == [5]
    p, n, k = allocated(4 * N), c_int(N), c_int(11)
    good(driver.cuMemcpyHtoD_v2(extra, byref(c_int(8)), c_size_t(4)))
    arguments = (c_void_p * 3)(*(ctypes.addressof(x) for x in (p, n, k)))
    good(driver.cuLaunchKernel(function, (N + 127) // 128, 1, 1, 128, 1, 1, 0, None, arguments, None))
    good(driver.cuCtxSynchronize())
    assert copied(p) == [11 * i + 8 for i in range(N)]


def ptx() -> None:
    reason = b"the image is PTX, which the CPU device does not compile: kernels come from CUDA C++, by cucc or NVRTC"
    context()
    loaded, state = c_void_p(), c_void_p()
    for room in (200, 20, 1):
        log = ctypes.create_string_buffer(b"?" * 200, 201)
        options = (c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER, ..._SIZE_BYTES
        values = (c_void_p * 2)(ctypes.addressof(log), room)
        assert driver.cuModuleLoadDataEx(byref(loaded), PTX, 2, options, values) == 209
        assert log.value == reason[: room - 1] and (values[1] or 0) == min(len(reason), room - 1), (
            log.value,
            values[1],
        )
        assert log.raw[room:200] == b"?" * (200 - room)
    log = ctypes.create_string_buffer(200)
    values = (c_void_p * 2)(ctypes.addressof(log), 200)
    good(driver.cuLinkCreate_v2(2, options, values, byref(state)))
    assert driver.cuLinkAddData_v2(state, 1, PTX, c_size_t(len(PTX)), b"f", 0, None, None) == 209
    assert log.value == reason, log.value
    good(driver.cuLinkDestroy(state))
    assert driver.cuModuleLoadData(byref(loaded), b"not even PTX") == 209


def names() -> None:
    ask = driver.cuGetProcAddress_v2
    ask.argtypes = [c_char_p, POINTER(c_void_p), c_int, c_uint64, POINTER(c_uint)]

    def found(name: str, version: int = 13000) -> int | None:
        p, result = c_void_p(), c_uint(9)
        good(ask(name.encode(), byref(p), version, 0, byref(result)))
        assert result.value == (0 if p.value else 1)
        return p.value

    def address(name: str) -> int | None:
        return ctypes.cast(getattr(driver, name), c_void_p).value

    for name in (
        "cuInit",
        "cuMemAlloc",
        "cuModuleGetGlobal",
        "cuLaunchKernel",
        "cuGetProcAddress",
        "cuProfilerStart",
    ):
        assert found(name) == address(name), name
    assert found("cuCtxCreate", 12000) is None
    assert found("cuCtxCreate", 10000) == address("cuCtxCreate_v2") != found("cuCtxCreate") == address("cuCtxCreate_v4")
    assert found("cuNoSuchFunction") is None and found("cudaMalloc") is None and found("printf") is None
    p = c_void_p()
    assert ask(b"cuNoSuchFunction", byref(p), 13000, 0, None) == 500
    for name in (b"cuInit", b"cuMemcpy"):  # of a stream for each thread: refused, and said once
        assert ask(name, byref(p), 13000, 2, None) == 801
    # what a name of a version does is what the name does: both are asked for the same answer
    for name, arguments in (("cuMemGetInfo", 2), ("cuDeviceTotalMem", 1)):
        context()
        answers = []
        for ending in ("", "_v2"):
            values = [c_size_t() for _ in range(arguments)]
            good(getattr(driver, name + ending)(*map(byref, values), *([0] if arguments == 1 else [])))
            answers.append([x.value for x in values])
        assert answers[0] == answers[1] and answers[0][0] > 0, answers


globals()[sys.argv[1]](*sys.argv[2:])
print("right")
