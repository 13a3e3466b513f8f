/* kernel_printf.c: printf() in device code (compiler/emit/arithmetic_loose.c).
 *
 * A kernel may end inside it: the watchdog ends one that prints in an endless loop, and an argument of %s may be no
 * address. The lock of stdout would stay locked then, and the program's next printf() would wait for ever. So the text
 * is made before the lock is taken, and the watchdog waits until it is released. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpudev_abi.h"
#include "cpudevice.h"
#include "observe/observer.h"

static int print(const char *format, va_list values)
{
    char text[512], *all = text;
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(text, sizeof text, format, values);
    if (length >= (int)sizeof text) {
        all = malloc((size_t)length + 1);
        if (all)
            vsnprintf(all, (size_t)length + 1, format, again);
        else
            length = -1;
    }
    va_end(again);
    if (length > 0 && fwrite(all, 1, (size_t)length, stdout) != (size_t)length)
        length = -1;
    if (all != text)
        free(all);
    return length;
}

int cpudev_kernel_printf(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    cpudev_hold();
    const int length = cpudev_on_device() ? print(format, values) : vprintf(format, values);
    cpudev_let_go();
    va_end(values);
    return length;
}
