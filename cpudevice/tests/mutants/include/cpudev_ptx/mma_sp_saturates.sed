# file: cpudevice/include/cpudev_ptx/mma.h
# test: cpudevice/tests/ptx/ptx
s/M::has(m_satfinite),/M::has(m_satfinite) \&\& !sparse,/
