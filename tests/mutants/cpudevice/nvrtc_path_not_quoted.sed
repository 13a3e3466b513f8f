# file: cpudevice/driver/objects.c
# test: anywhere.sh
s/in_quotes(home, strlen(home))/home/
