# file: cpudevice/driver/build.c
# test: cpudevice/tests/toolkit/toolkit.sh 'a module runs in a library that is loaded for itself alone'
/"libcudacpu_pic.a"))$/{n;s/beside/"..\/libcudacpu_hidden.a"/;}
