# file: cpudevice/driver/say.c
# test: cpudevice/tests/compiler/driver places
s/    if (!form_is_chinese())/    if (english)/
