# file: cpudevice/libraries/nvml.c
# test: libraries.sh nvidia-ml
s/{total, unused, total - unused}/{total, total - unused, unused}/
