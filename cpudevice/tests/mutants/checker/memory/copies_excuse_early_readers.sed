# file: cpudevice/checker/memory/init.c
# test: cpudevice/tests/checker/findings.sh early_reader
s/if (!w->unset.at\[i\].copied \&\& /if (/
