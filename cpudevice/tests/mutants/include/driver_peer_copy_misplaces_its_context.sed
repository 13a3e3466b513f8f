# file: cpudevice/include/cpudev_driver_arrays.h
# test: cpudevice/tests/runtime/driver_api.sh layouts
/CUcontext dstContext;/d; s/    CUcontext srcContext;.*/&\n    CUcontext dstContext;/
