# file: cpudevice/checker/core/lock.h
# test: cpudevice/tests/checker/findings.sh 'the watchdog ends a kernel whose line the checker looks for'
s/^    cpudev_hold();//;s/^    cpudev_let_go();//
