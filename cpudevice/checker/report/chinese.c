/* chinese.c: the checker's catalogue, and whether it is asked for. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/chinese.h"
#include "device/columns.h"
#include "device/forms.h"

static const form forms[] = {
#define SAY(english, chinese) {english, chinese},
#define JOINED(english, chinese) {english, chinese},
#define OTHERS(english, chinese) {english, chinese},
#include "report/chinese.inc"
};
enum { FORMS = sizeof forms / sizeof *forms, LINE = 1024 };

int check_in_chinese(void)
{
    static int chinese = -1;
    if (chinese < 0)
        chinese = form_is_chinese();
    return chinese;
}

const char *check_say(const char *english)
{
    for (int i = 0; check_in_chinese() && i < FORMS; i++)
        if (!strcmp(forms[i].english, english))
            return forms[i].other;
    return english;
}

const char *check_say_text(const char *english, char *out, size_t bytes)
{
    return check_in_chinese() ? form_text(forms, FORMS, english, out, bytes) : english;
}

void check_say_cell(FILE *o, const char *english, int columns)
{
    const char *said = check_say(english);
    const int wide = columns_in(said), blanks = abs(columns) > wide ? abs(columns) - wide : 0;
    fprintf(o, "%*s%s%*s", columns < 0 ? 0 : blanks, "", said, columns < 0 ? blanks : 0, "");
}

void check_say_line(const char *format, ...)
{
    char english[LINE], said[LINE];
    va_list values;
    va_start(values, format);
    vsnprintf(english, sizeof english, format, values);
    va_end(values);
    fprintf(stderr, "%s\n", check_say_text(english, said, sizeof said));
}
