# file: tools/course/testing/keys.c
# test: tests/course/remembered
s/any |= content && strstr(content, "results");//
