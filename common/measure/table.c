#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../cpudevice/runtime/device/columns.h"
#include "terminal.h"
#include "words.h"

struct Table {
    int columns, cells, room;
    char **cell; /* row by row, the header first */
    char *right; /* per column: aligned right? */
    char *dim;   /* per column: of less weight, dim on a terminal? */
    char *hide;  /* per column: left out by table_hide()? */
};

static void append(Table *t, char *text)
{
    if (t->cells == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->cell = realloc(t->cell, sizeof *t->cell * (size_t)t->room);
    }
    t->cell[t->cells++] = text;
}

Table *table_new(const char *header)
{
    Table *t = calloc(1, sizeof *t);
    t->columns = 1;
    for (const char *p = header; *p; p++)
        t->columns += *p == '|';
    t->right = calloc((size_t)t->columns, 1);
    t->dim = calloc((size_t)t->columns, 1);
    t->hide = calloc((size_t)t->columns, 1);
    for (int c = 0; c < t->columns; c++) {
        t->dim[c] = *header == '~';
        header += t->dim[c];
        t->right[c] = *header == '>';
        header += t->right[c];
        size_t n = strcspn(header, "|");
        append(t, strndup(header, n));
        header += n + 1;
    }
    return t;
}

void table_cell(Table *t, const char *format, ...)
{
    va_list args;
    char *text;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        abort();
    va_end(args);
    append(t, text);
}

void table_row(Table *t, const char *format, ...)
{
    va_list args;
    char *text, *rest, *cell;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        abort();
    va_end(args);
    for (rest = text; (cell = strsep(&rest, "|"));)
        append(t, strdup(cell));
    free(text);
}

enum { CELL = 1024 };

/* The columns that a cell takes, in the reader's language. */
static int width(const char *s)
{
    char said[CELL];
    return columns_in(words_in(s, said, sizeof said));
}

/* The width of a column, 0 if it is left out. */
static int column_width(const Table *t, int column)
{
    int most = 0;
    for (int i = t->columns + column; i < t->cells; i += t->columns) {
        const int w = width(t->cell[i]);
        most = w > most ? w : most;
    }
    if (most == 0 || t->hide[column])
        return 0;
    return width(t->cell[column]) > most ? width(t->cell[column]) : most;
}

int table_width(const Table *t)
{
    int sum = 0;
    for (int c = 0; c < t->columns; c++) {
        int w = column_width(t, c);
        sum += w ? w + (sum ? 2 : 0) : 0;
    }
    return sum;
}

void table_hide(Table *t, int column) { t->hide[column] = 1; }
int table_rows(const Table *t) { return t->cells / t->columns; }
const char *table_at(const Table *t, int row, int column) { return t->cell[row * t->columns + column]; }

void table_print(const Table *t, FILE *to, int indent)
{
    int *wide = calloc((size_t)t->columns, sizeof *wide), last = 0, marks = terminal_marks(to);
    for (int c = 0; c < t->columns; c++)
        if ((wide[c] = column_width(t, c)))
            last = c;
    for (int i = 0; i < t->cells; i++) {
        int c = i % t->columns, pad = wide[c] - width(t->cell[i]);
        if (c == 0)
            fprintf(to, "%*s", indent, "");
        if (wide[c]) {
            char said[CELL];
            int dim = marks && t->dim[c];
            fprintf(to, "%*s%s%s%s", t->right[c] ? pad : 0, "", dim ? "\033[2m" : "",
                    words_in(t->cell[i], said, sizeof said), dim ? "\033[0m" : "");
            if (c != last)
                fprintf(to, "%*s", (t->right[c] ? 0 : pad) + 2, "");
        }
        if (c == t->columns - 1 || i == t->cells - 1)
            fputc('\n', to);
    }
    free(wide);
}

void table_csv(const Table *t, FILE *to)
{
    for (int i = 0; i < t->cells; i++)
        fprintf(to, "%s%c", t->cell[i], i % t->columns == t->columns - 1 ? '\n' : ',');
}

void table_free(Table *t)
{
    for (int i = 0; i < t->cells; i++)
        free(t->cell[i]);
    free(t->cell);
    free(t->right);
    free(t->dim);
    free(t->hide);
    free(t);
}

const char *format_ms(double ms, char b[32])
{
    if (ms < 0.0995)
        snprintf(b, 32, "%.2f us", ms * 1e3);
    else if (ms < 1e3)
        snprintf(b, 32, ms < 9.995 ? "%.3f ms" : ms < 99.95 ? "%.2f ms" : "%.1f ms", ms);
    else
        snprintf(b, 32, "%.2f s", ms * 1e-3);
    return b;
}
