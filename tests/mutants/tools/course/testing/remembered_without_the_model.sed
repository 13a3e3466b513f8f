# file: tools/course/testing/keys.c
# test: tests/course/remembered of_content
s|"cpudevice/checker", "cpudevice/model", |"cpudevice/checker", |
