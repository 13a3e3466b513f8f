# file: cpudevice/checker/report/chinese.inc
# test: cpudevice/tests/checker/findings.sh chinese_words
# of "4 bytes of dynamic shared memory at byte 0" a piece stays English
/^JOINED("dynamic shared", /d
