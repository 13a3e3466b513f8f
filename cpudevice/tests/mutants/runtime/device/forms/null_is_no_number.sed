# file: cpudevice/runtime/device/forms.h
# test: cpudevice/tests/runtime/messages.sh 'a fault in Chinese'
# a null pointer, which printf writes as (nil), does not fit %p
s/if (conversion == 'p' \&\& text.length/if (0 \&\& text.length/
