# file: cpudevice/toolkit/version.txt
# test: cpudevice/tests/toolkit/meson.sh 'Meson finds the toolkit, its version and its libraries'
s/13/11/
