#!/bin/sh
# course.sh COMMAND ...: the course's own tool (tools/course), which is built when it is first needed.
# ./run, make check, make next and the others call it; `tools/course.sh --help` lists the commands.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
tool=build/tools/course
if [ ! -x "$tool" ] || [ -n "$(find -L tools/course cpudevice/driver/version.h cpudevice/include/cpudev_written.h cpudevice/runtime/device/forms.h \( -name '*.[ch]' -o -name '*.inc' \) -newer "$tool")" ]; then
    mkdir -p build/tools &&
        ${CC:-gcc} -std=c11 -D_GNU_SOURCE ${CFLAGS--O1 -g} -Wall -Wextra -o "$tool.$$" tools/course/*.c tools/course/*/*.c && mv "$tool.$$" "$tool" ||
        { rm -f "$tool.$$"; exit 1; }
fi
exec "$tool" "$@"
