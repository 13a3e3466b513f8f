# file: cpudevice/checker/report/source.c
# test: cpudevice/tests/checker/check_mistakes.sh right/struct_of_complex
s/"DoubleComplex"/"Complex"/
