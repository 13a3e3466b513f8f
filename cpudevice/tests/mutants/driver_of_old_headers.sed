# file: cpudevice/cucc
# test: cpudevice/tests/compiler/driver_build of_the_driver
s|^    while IFS= read -r header; .*|    :|
