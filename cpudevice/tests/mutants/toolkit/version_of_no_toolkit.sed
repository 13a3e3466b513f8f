# file: cpudevice/toolkit/version.txt
# test: cpudevice/tests/toolkit/meson.sh
s/13/11/
