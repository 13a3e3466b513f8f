# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict program
s/ && !line_has_text(line, n, "cudaErrorMemoryAllocation") &&$/ \&\&/
