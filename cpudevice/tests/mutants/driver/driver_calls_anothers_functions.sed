# file: cpudevice/driver/build.c
# test: cpudevice/tests/toolkit/shared.sh "a module that cannot be told which goes to no other's runtime"
s/-Wl,-Bsymbolic //
