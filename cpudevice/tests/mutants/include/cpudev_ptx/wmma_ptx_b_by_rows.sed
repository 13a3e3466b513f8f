# file: cpudevice/include/cpudev_ptx/wmma.h
# test: conformance/loops/warp/wmma_ptx
s/M::has(m_row) == (use != wmma_b)/M::has(m_row) == true/
