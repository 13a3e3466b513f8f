/* message.c: what the CPU device says to the user. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "device/forms.h"
#include "device/message.h"
#include "observe/observer.h"

enum { TEXT = 2048 };

static const form forms[] = {
#define SAY(english, chinese) {english, chinese},
#define JOINED(english, chinese) {english, chinese},
#include "device/chinese.inc"
};

/* Line by line: a line keeps the blanks that it begins with. */
static void print_in_chinese(char *english)
{
    char said[TEXT], *rest = english, *line;
    while ((line = strsep(&rest, "\n"))) {
        const int blanks = (int)strspn(line, " ");
        fprintf(stderr, "%*s%s%s", blanks, "",
                form_text(forms, sizeof forms / sizeof *forms, line + blanks, said, TEXT), rest ? "\n" : "");
    }
}

static void print(const char *format, va_list values)
{
    char text[TEXT];
    vsnprintf(text, sizeof text, format, values);
    cpudev_hold(); /* the C library's locks of both */
    fflush(stdout);
    if (form_is_chinese())
        print_in_chinese(text);
    else
        fputs(text, stderr);
    cpudev_let_go_for_now(); /* the watchdog's reports are messages too */
}

void message_lines(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print(format, values);
    va_end(values);
}

void message(const char *format, ...)
{
    char text[TEXT - 32];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    message_lines("CPU device: %s\n", text);
}

static atomic_bool any_refused;

void refused(const char *format, ...)
{
    const int error = errno;
    va_list ap;
    char text[512];
    if (atomic_exchange(&any_refused, true))
        return;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    message("%s: %s", text, strerror(error));
}

void refused_memory(size_t bytes)
{
    refused("the system refuses %zu bytes of memory, though the device has them", bytes);
}

bool system_refused(void) { return atomic_load(&any_refused); }
