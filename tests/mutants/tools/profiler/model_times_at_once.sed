# file: tools/profiler/cuprof_model.c
# test: tests/profiler/profiler_model
s/\*now += \(.*\);/e.end_ns = *now + \1;/;s/^    e.end_ns = \*now;$//
