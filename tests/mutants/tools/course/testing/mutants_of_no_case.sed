# file: tools/course/testing/library_mutants.c
# test: tests/course/time_limits mutant_of_a_test_of_nothing
s/status != ENDLESS && !said.passed/0 \&\& !said.passed/
