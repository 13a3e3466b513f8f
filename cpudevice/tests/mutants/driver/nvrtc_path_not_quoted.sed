# file: cpudevice/driver/objects.c
# test: cpudevice/tests/toolkit/anywhere.sh
s/in_quotes(home, strlen(home))/home/
