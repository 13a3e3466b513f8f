# file: cpudevice/checker/race/global.c
# test: cpudevice/tests/checker/check_mistakes.sh uninitialised/init_memset_byte_short
s/const bool alone = bytes == 4/const bool alone = bytes == 3/
