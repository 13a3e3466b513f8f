# file: tools/course/testing/library_mutants.c
# test: tests/course/time_limits mutant_of_a_test_of_nothing
# what a program says to have skipped is not read
s/said.passed ? "SURVIVED" : verdict_skipped/"SURVIVED"/
