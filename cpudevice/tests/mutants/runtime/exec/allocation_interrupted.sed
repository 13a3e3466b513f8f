# file: cpudevice/runtime/exec/held.h
# test: cpudevice/tests/runtime/messages.sh 'the watchdog ends a kernel that copies asynchronously'
s/^    cpudev_hold();//;s/^    cpudev_let_go_for_now();//
