# file: cpudevice/runtime/observe/tell_block.c
# test: cpudevice/tests/checker/findings.sh stack
s/if (error || !lo) {/if (0) {/
