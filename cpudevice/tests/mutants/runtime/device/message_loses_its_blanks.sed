# file: cpudevice/runtime/device/message.c
# test: cpudevice/tests/runtime/messages.sh 'a deadlock in Chinese'
# in Chinese the lines of a report are not indented
s/fprintf(stderr, "%\*s%s%s", blanks, "",/fprintf(stderr, "%.*s%s%s", 0, "",/
