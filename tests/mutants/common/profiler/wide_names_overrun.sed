# file: common/profiler/profiler_report.c
# test: tests/course/command_line runner
# names are put at the right as they are in English: in Chinese they end elsewhere
s/^    at_right(out, width, name);/    fprintf(out, "%*s", width, name);/
