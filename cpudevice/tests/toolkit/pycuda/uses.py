"""What pycuda does through the driver interface, against numpy."""

# BUILD: build_pycuda
# SKIPS: not here
# TEST: pycuda's launches, arrays, copies and fills
# RUN: of_pycuda $case
# MATCHES: ^right$
# SAYS: cuModuleGetTexRef is not supported (CUDA_ERROR_NOT_SUPPORTED)
# TEST: hello_gpu.py
# RUN: example hello_gpu
# LACKS: [1-9]
# MATCHES: ^ *\[ *-*0\.
# TEST: demo.py
# RUN: example demo
# SAYS: doubled with gpuarray:
# TEST: demo_struct.py
# RUN: example demo_struct | grep -v '[a-z]'
# PRINTS: [1. 2. 3.]
# PRINTS: [0. 4.]
# PRINTS: [2. 4. 6.]
# PRINTS: [0. 8.]
# PRINTS: [2. 4. 6.]
# PRINTS: [ 0. 16.]
# PRINTS: [ 4.  8. 12.]
# PRINTS: [ 0. 32.]
# PRINTS: [ 4.  8. 12.]
# PRINTS: [ 0. 64.]
# TEST: demo_elementwise.py, which compares with numpy itself
# RUN: example demo_elementwise
# TEST: dump_properties.py
# RUN: example dump_properties
# SAYS: 1 device(s) found.
# MATCHES: MULTIPROCESSOR_COUNT: [1-9]
from __future__ import annotations

import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
from pycuda.reduction import ReductionKernel
from pycuda.scan import InclusiveScanKernel

random = np.random.default_rng(1)

MODULE = SourceModule("""
__constant__ float factor[2];
__global__ void scale(float *p, int n, double add)
{
    extern __shared__ float s[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? p[i] : 0;
    __syncthreads();
    if (i < n)
        p[i] = s[threadIdx.x] * factor[1] + add;
}
""")


def launches() -> None:
    x = random.random(1000, dtype=np.float32)
    constant, size = MODULE.get_global("factor")
    assert size == 8
    cuda.memcpy_htod(constant, np.array([0, 3], np.float32))
    p = cuda.to_device(x)
    scale = MODULE.get_function("scale")
    scale(p, np.int32(1000), np.float64(0.5), block=(128, 1, 1), grid=(8, 1), shared=512)
    assert np.allclose(cuda.from_device(p, x.shape, x.dtype), x * 3 + 0.5)
    stream, begin, end = cuda.Stream(), cuda.Event(), cuda.Event()
    scale.prepare("Pid")
    begin.record(stream)
    scale.prepared_async_call((8, 1), (128, 1, 1), stream, p, 1000, 1.0, shared_size=512)
    end.record(stream)
    end.synchronize()
    assert begin.time_till(end) >= 0
    assert np.allclose(cuda.from_device(p, x.shape, x.dtype), (x * 3 + 0.5) * 3 + 1)


def fills() -> None:
    for dtype, fill in ((np.uint8, cuda.memset_d2d8), (np.uint16, cuda.memset_d2d16), (np.uint32, cuda.memset_d2d32)):
        p, pitch = cuda.mem_alloc_pitch(16, 5, 4)
        cuda.memset_d8(p, 0, pitch * 5)
        fill(p, pitch, 0x01020304 & np.iinfo(dtype).max, 3, 4)
        got = np.empty((5, pitch // np.dtype(dtype).itemsize), dtype)
        cuda.memcpy_dtoh(got, p)
        expected = np.zeros_like(got)
        expected[:4, :3] = 0x01020304 & np.iinfo(dtype).max
        assert (got == expected).all()
        assert cuda.mem_get_address_range(int(p)) == (int(p), got.nbytes)


def boxes() -> None:
    """A box of a numpy array into an array of three dimensions, and back."""
    x = random.random((4, 5, 6), dtype=np.float32)  # depth, height, width
    description = cuda.ArrayDescriptor3D()
    description.width, description.height, description.depth = 6, 5, 4
    description.format, description.num_channels = cuda.array_format.FLOAT, 1
    description.flags = 0
    array = cuda.Array(description)
    copy = cuda.Memcpy3D()
    copy.set_src_host(x)
    copy.set_dst_array(array)
    copy.src_pitch = copy.width_in_bytes = 24
    copy.src_height = copy.height = 5
    copy.depth = 4
    copy()
    y = np.zeros((2, 3, 4), np.float32)
    copy = cuda.Memcpy3D()
    copy.set_src_array(array)
    copy.set_dst_host(y)
    copy.src_x_in_bytes, copy.src_y, copy.src_z = 8, 1, 2
    copy.dst_pitch = copy.width_in_bytes = 16
    copy.dst_height = copy.height = 3
    copy.depth = 2
    copy()
    assert (y == x[2:4, 1:4, 2:6]).all()
    read = array.get_descriptor_3d()
    assert (read.width, read.height, read.depth, read.num_channels) == (6, 5, 4, 1)


def arrays() -> None:
    x, y = random.random((2, 3000))
    a, b = gpuarray.to_gpu(x), gpuarray.to_gpu(y)
    assert np.allclose((a * b + 2 * a - b / a).get(), x * y + 2 * x - y / x)
    assert np.isclose(gpuarray.sum(a).get(), x.sum())
    assert np.isclose(gpuarray.dot(a, b).get(), x @ y)
    largest = ReductionKernel(np.float64, "0", "max(a, b)", "x[i]", "const double *x")
    assert largest(a).get() == x.max()
    n = random.integers(0, 9, 3000).astype(np.int32)
    running = gpuarray.to_gpu(n)
    InclusiveScanKernel(np.int32, "a + b")(running)
    assert (running.get() == np.cumsum(n)).all()


def missing() -> None:
    """A texture reference is refused with a reason, not a crash."""
    try:
        MODULE.get_texref("none")
    except cuda.Error as error:
        assert "not supported" in str(error)
    else:
        raise AssertionError


launches()
fills()
boxes()
arrays()
missing()
print("right")
