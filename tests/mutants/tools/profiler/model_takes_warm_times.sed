# file: tools/profiler/cuprof_model.c
# test: tests/profiler/profiler_model
s/strtod(field\[COLD_US\]/strtod(field[COLD_US + 1]/
