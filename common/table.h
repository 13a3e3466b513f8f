/* table.h: aligned columns for people. Cells are text; numbers align right, words left. */
#ifndef TABLE_H
#define TABLE_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Table Table;

/* A table with the given header: columns separated by '|', one that begins with '>' aligns right:
 * "rung|>time|>GB/s"; one that begins with '~' is dim on a terminal: "~>this CPU". table_free() ends its life. */
Table *table_new(const char *header);
/* Appends a cell to the last row; after the last column the next call starts a new row. */
void table_cell(Table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A whole row, its cells separated by '|' in the format: table_row(t, "warp|%d lanes|half a warp is one warp", 32). */
void table_row(Table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Columns are counted from 0. How many characters wide the table is when it is printed without an indent. */
int table_width(const Table *t);
/* table_print() leaves the column out. */
void table_hide(Table *t, int column);
/* The cell of a row, the header's being row 0. */
const char *table_at(const Table *t, int row, int column);
/* How many rows there are, the header among them. */
int table_rows(const Table *t);
/* Prints with `indent` blanks before each row. Columns that are empty in every row are left out. */
void table_print(const Table *t, FILE *to, int indent);
/* The same as CSV: the header, then one line per row. No cell may hold a comma. */
void table_csv(const Table *t, FILE *to);
void table_free(Table *t);

/* A time in ms with the unit that suits it: "3.21 us", "0.871 ms", "1.30 s". Returns `buffer`. */
const char *format_ms(double ms, char buffer[32]);

#ifdef __cplusplus
}
#endif
#endif
