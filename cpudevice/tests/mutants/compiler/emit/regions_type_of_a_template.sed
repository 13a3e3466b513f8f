# file: cpudevice/compiler/emit/print_regions.c
# test: cpudevice/tests/compiler/driver mistakes
s/typedef typename std::remove_cv<decltype/typedef std::remove_cv<decltype/
