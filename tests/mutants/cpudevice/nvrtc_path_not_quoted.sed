# file: cpudevice/driver/build.c
# test: anywhere.sh
s/in_quotes(home, strlen(home))/home/
