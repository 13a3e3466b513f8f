# file: cpudevice/driver/say.c
# test: cpudevice/tests/compiler/driver chinese
s/    if (!form_is_chinese())/    if (english)/
