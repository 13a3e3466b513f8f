# file: tools/course/testing/keys.c
# test: tests/course/remembered of_content
s/ && strstr(path, "\/exercises"))/ \&\& strstr(path, "\/no such folder"))/
