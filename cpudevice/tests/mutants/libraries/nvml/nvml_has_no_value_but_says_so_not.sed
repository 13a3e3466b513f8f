# file: cpudevice/libraries/nvml/nvml_missing.c
# test: cpudevice/tests/libraries/libraries.sh nvidia-ml
s/return status ? status : NVML_ERROR_NOT_SUPPORTED/return status/
