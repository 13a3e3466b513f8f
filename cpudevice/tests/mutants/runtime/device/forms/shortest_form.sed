# file: cpudevice/runtime/device/forms.h
# test: tests/notes/chinese_words.sh
# of the forms that a text has the last one is taken, however little of it is the form's own
s/letters > most/letters/
