/* source_lines.h: addr2line in a sandbox, beside a program that may start no process; the checker in that program asks
 * it for the lines of its findings (CUDA_CPU_ADDR2LINE, cpudevice/checker/report/lines.c). */
#ifndef SOURCE_LINES_H
#define SOURCE_LINES_H

#include <sys/types.h>

#include "grading.h"

/* The program gets question[1] and reply[0]. addr2line starts with the first question. */
typedef struct SourceLines {
    pid_t pid;
    int question[2], reply[2];
} SourceLines;

SourceLines lines_start(const Grading *g, const char *program);
/* After the program's end, with which addr2line's input has ended. */
void lines_end(const SourceLines *l);
/* Paths below the folder are shown without it. In place. */
void lines_shorten(const char *folder, char *said);

#endif
