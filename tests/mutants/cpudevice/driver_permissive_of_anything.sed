# file: cpudevice/driver/messages.c
# test: driver
s/if (!meaning || meaning > at + strcspn(at, "\\n"))/if (!meaning)/
