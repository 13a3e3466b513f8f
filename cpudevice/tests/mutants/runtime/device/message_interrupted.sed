# file: cpudevice/runtime/device/message.c
# test: cpudevice/tests/runtime/messages.sh 'a block is in a deadlock and nobody reads that'
s/^    cpudev_hold();.*//;s/^    cpudev_let_go_for_now();.*//
