# file: cpudevice/driver/precompiled.c
# test: cpudevice/tests/compiler/driver_precompiled of_first_uses
s/const bool keeps = .*/const bool keeps = true;/
