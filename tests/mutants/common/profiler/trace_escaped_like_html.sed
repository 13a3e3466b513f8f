# file: common/profiler/profiler_writer.c
# test: tests/profiler/profiler_core
s/\*s < 0x20 || \*s == 0x7f/*s < 0x20 || *s == '<' || *s == 0x7f/
