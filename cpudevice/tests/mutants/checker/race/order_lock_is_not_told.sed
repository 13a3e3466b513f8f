# file: cpudevice/checker/race/release.h
# test: cpudevice/tests/checker/findings.sh endless_fences
/^static inline void check_order_lock/,/^}/s/ cpudev_hold();//
