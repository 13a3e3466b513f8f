# file: cpudevice/runtime/launch/launch.c
# test: cpudevice/tests/checker/findings.sh advice
s/CPUDEV_WHY_DYNAMIC_SHARED/CPUDEV_WHY_STATIC_SHARED/
