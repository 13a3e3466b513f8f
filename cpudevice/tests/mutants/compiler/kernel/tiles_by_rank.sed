# file: cpudevice/compiler/kernel/canonical_groups.c
# test: conformance/loops/lanes/tiles
s/{"thread_rank", THREAD, "%"}/{"thread_rank", THREAD, "\/"}/
