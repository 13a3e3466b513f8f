# file: tools/course/testing/tests.c
# test: tests/course/remembered
# Whoever lists the tests takes away the logs of a run that is under way.
s/^    verdicts_read(&s->here, VERDICTS_HERE);/&\
    tests_begin(s);/
