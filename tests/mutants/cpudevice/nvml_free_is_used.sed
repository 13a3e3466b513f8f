# file: cpudevice/libraries/nvml/nvml.c
# test: libraries.sh
s/{total, unused, total - unused}/{total, total - unused, unused}/
