# file: cpudevice/compiler/print_regions.c
# test: driver
s/typedef typename std::remove_cv<decltype/typedef std::remove_cv<decltype/
