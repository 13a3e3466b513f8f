# file: cpudevice/driver/build.c
# test: cpudevice/tests/toolkit/toolkit.sh extension
/"libcudacpu_pic.a"))$/{n;s/beside/"..\/libcudacpu_hidden.a"/;}
