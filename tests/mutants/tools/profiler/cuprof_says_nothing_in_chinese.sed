# file: tools/profiler/cuprof_say.c
# test: tests/profiler/profiler_cuprof
s/form_is_chinese() ? NULL : english/english/
