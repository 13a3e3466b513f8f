# file: cpudevice/driver/precompiled.c
# test: cpudevice/tests/compiler/driver_precompiled
s/const bool keeps = .*/const bool keeps = true;/
