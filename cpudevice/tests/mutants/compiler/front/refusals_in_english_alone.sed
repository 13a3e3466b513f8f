# file: cpudevice/compiler/front/text.c
# test: cpudevice/tests/compiler/driver places
s/    if (form_is_chinese() \&\& /    if (!fmt \&\& /
