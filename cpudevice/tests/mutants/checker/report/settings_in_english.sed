# file: cpudevice/checker/report/chinese.c
# test: cpudevice/tests/runtime/messages.sh 'a setting of the viewer in Chinese'
# what the checker and the viewer say of their settings stays English
s/fprintf(stderr, "%s\\n", check_say_text(english, said, sizeof said));/fprintf(stderr, "%s\\n", english);/
