/* cuprof_say.c: what cuprof says itself, in Chinese where COURSE_LANG, else LANG, begins with zh and the catalogue
 * (chinese.inc) has it. The tables are those of nsys and of torch.profiler, in their words. */
#include "cuprof_say.h"
#include "../../cpudevice/runtime/device/forms.h"

#include <stdarg.h>

static const form forms[] = {
#define SAY(english, chinese) {english, chinese},
#define JOINED(english, chinese) {english, chinese},
#include "chinese.inc"
};
enum { FORMS = sizeof forms / sizeof *forms };

void say_to(FILE *to, const char *english)
{
    char said[4096];
    const char *words = form_is_chinese() ? NULL : english;
    for (int i = 0; !words && i < FORMS; i++)
        if (!strcmp(forms[i].english, english)) /* a table keeps its blanks */
            words = forms[i].other;
    fprintf(to, "%s\n", words ? words : form_text(forms, FORMS, english, said, sizeof said));
}

void say_in(FILE *to, const char *format, ...)
{
    va_list ap;
    char *text = NULL, *line = NULL;
    va_start(ap, format);
    if (vasprintf(&text, format, ap) >= 0 && asprintf(&line, "cuprof: %s", text) >= 0)
        say_to(to, line);
    va_end(ap);
    free(text), free(line);
}
