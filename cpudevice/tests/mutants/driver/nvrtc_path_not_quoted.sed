# file: cpudevice/driver/objects.c
# test: tests/course/anywhere.sh
s/in_quotes(home, strlen(home))/home/
