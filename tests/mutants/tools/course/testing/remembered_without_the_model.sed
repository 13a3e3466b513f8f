# file: tools/course/testing/keys.c
# test: tests/course/remembered
s|"cpudevice/checker", "cpudevice/model", |"cpudevice/checker", |
