# file: cpudevice/include/cpudev_device.h
# test: conformance/loops/exchange/columns_of_threads
s/b\.y += b\.ny;/b.y = size.y;/
