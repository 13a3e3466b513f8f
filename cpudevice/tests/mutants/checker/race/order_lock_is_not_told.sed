# file: cpudevice/checker/race/release.h
# test: cpudevice/tests/checker/findings.sh 'the watchdog ends a kernel whose thread holds a lock of the checker'
/^static inline void check_order_lock/,/^}/s/ cpudev_hold();//
