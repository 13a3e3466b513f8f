# file: tools/profiler/cuprof_model.c
# test: tests/profiler/profiler_model
s/^    if (!strstr(message, one))/    if (strstr(message, one))/
