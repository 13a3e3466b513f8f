# file: cpudevice/compiler/front/text.c
# test: cpudevice/tests/compiler/driver chinese
s/    if (form_is_chinese() \&\& /    if (!fmt \&\& /
