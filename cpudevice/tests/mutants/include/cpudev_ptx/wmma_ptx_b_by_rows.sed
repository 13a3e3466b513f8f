# file: cpudevice/include/cpudev_ptx/wmma.h
# test: conformance/loops/warp/wmma_ptx
s/M::has(m_row) == l.by_rows/M::has(m_row) == true/
