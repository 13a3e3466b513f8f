# file: cpudevice/runtime/stream/event.c
# test: tests/profiler/profiler_api
/^cudaError_t cudaEventRecord(/,/^}/s/API;/api_call call_ = {0};/
