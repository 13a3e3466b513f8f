# file: cpudevice/include/cpudev_device.h
# test: conformance/loops/exchange/holes
s/if (is_active(x, y) != (x >= b.x \&\& x < b.x + b.nx))/if (is_active(b.x, y) != (b.nx > 0))/
