# file: cpudevice/runtime/device/beside.c
# test: cpudevice/tests/toolkit/shared.sh beside
s/if (devices.other \&\&/if (0 \&\&/
