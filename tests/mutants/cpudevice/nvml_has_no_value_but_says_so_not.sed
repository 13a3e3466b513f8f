# file: cpudevice/libraries/nvml_missing.c
# test: libraries.sh nvidia-ml
s/return status ? status : NVML_ERROR_NOT_SUPPORTED/return status/
