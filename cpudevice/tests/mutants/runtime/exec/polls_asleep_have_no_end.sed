# file: cpudevice/runtime/exec/watchdog.c
# test: cpudevice/tests/runtime/core polling
s/ + (naps - w->watch.naps_seen) \* (NAP_NS + SLACK_NS) \* 1e-6//
