/* say.c: what cucc says, in Chinese where COURSE_LANG, else LANG, begins with zh and the catalogue (chinese.inc) has it. */
#include "../runtime/device/forms.h"
#include "driver.h"

#include <stdarg.h>
#include <stdio.h>

static const form forms[] = {
#define SAY(english, chinese) {english, chinese},
#include "chinese.inc"
};
enum { FORMS = sizeof forms / sizeof *forms };

const char *in_chinese(const char *english)
{
    if (!form_is_chinese())
        return english;
    for (int i = 0; i < FORMS; i++)
        if (!strcmp(forms[i].english, english)) /* a table keeps its blanks */
            return forms[i].other;
    const size_t bytes = 4 * strlen(english) + 4096;
    return form_text(forms, FORMS, english, must(malloc(bytes)), bytes);
}

void say(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "%s\n", in_chinese(vformat(fmt, ap)));
    va_end(ap);
}

_Noreturn void die(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say("cucc: %s", vformat(fmt, ap));
    va_end(ap);
    exit(1);
}
