# file: cpudevice/libraries/nvml/nvml.c
# test: cpudevice/tests/libraries/libraries.sh nvidia-ml
s/{total, unused, total - unused}/{total, total - unused, unused}/
