# file: tools/course/testing/keys.c
# test: tests/course/remembered
s/ && strstr(path, "\/exercises"))/ \&\& strstr(path, "\/no such folder"))/
