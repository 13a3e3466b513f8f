/* lines.h: return addresses as lines of the source, and the text of these lines. */
#ifndef CHECKER_LINES_H
#define CHECKER_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "report/findings.h"
#include "memory/kernel_memory.h"

typedef struct line_entry {
    void *pc;
    char file[256];
    int line;
    char function[128];
    char outer[64]; // the function that is really there, into which that one may be inlined
    int ours;
    char site_file[256]; // where that function is called, if it is inlined
    int site_line;       // 0: it is not
    struct line_entry *next;
} line_entry;

void check_report_lock(void);
void check_report_unlock(void);
line_entry *check_resolve_pc(void *pc);
const char *check_short_path(const char *f);
// "add.cu:12" for a return address; "" where nothing is known.
const char *check_line(void *pc);
int check_same_line(void *a, void *b);
int check_line_error(void); // why no lines are known, as errno says it; 0: they are
void *check_students_pc(void *pc);
// Does the word occur in the function around the line, up to there?
int check_function_says(const char *file, int line, const char *word);
// Where the function that pc lies in, one of those that are running in this thread, returns to; NULL if none is found.
void *check_caller_of(void *pc);
int check_source_line(const char *file, int line, char *out, size_t bytes);
int check_is_name(char c); // may it be part of a name?
int check_enclosing_loop(const char *file, int line, char *out, size_t bytes);
// The pointer parameter, of the kernel that is written at file:line, that the access at pc goes through.
int check_parameter(const char *file, int line, void *pc, char *out, size_t bytes);
// The variable that holds the allocation's address; 0 if none is seen.
int check_alloc_name(const check_alloc *a, char *out, size_t bytes);
// "d_in: 4096 bytes, cudaMalloc at add.cu:12"
void check_describe_alloc(const check_alloc *a, char *out, size_t bytes);
const char *check_kernel_name(const char *name, char *out, size_t bytes);
// Does the line of pc name a type whose 16 bytes lie at a multiple of 16, or its file, which has no structs?
int check_names_wide(void *pc);

#endif
