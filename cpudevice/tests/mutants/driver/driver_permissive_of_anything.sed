# file: cpudevice/driver/messages.c
# test: cpudevice/tests/compiler/driver
s/if (!meaning || meaning > at + strcspn(at, "\\n"))/if (!meaning)/
