/* findings.h: what is found, in words, on stderr and for graders as JSON. */
#ifndef CHECKER_FINDINGS_H
#define CHECKER_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct check_place { // one access, or one call
    void *pc;
    int device; // block and thread are meant
    uint32_t block[3], thread[3];
    int has_thread;
    char what[256]; // "writes 4 bytes of ..."
} check_place;

typedef struct check_finding {
    int tool;
    const char *kind; // "out-of-bounds"
    const char *key;  // what check_seen() asks for, if not the kind
    char title[512];
    char kernel[192];
    check_place at, other;
    int has_other;
    char object[256]; // "d_x, 4000 bytes, cudaMalloc at add.cu:12"
    char note[256];
    int only_note; // told, but no error: unless CUDA_CPU_STRICT is set
    const char *cause;
    void *launch_pc;
    const char *file;
    int line;         // instead of at.pc
    int file_if_none; // only if that is in no line of the student's
} check_finding;

typedef struct stored {
    check_finding f;
    char at_line[320], other_line[320], launch_line[320], source[256], other_source[256];
    char at_file[256];
    int at_number;
    unsigned long count;
    int number; // from 1, in the order in which they were found
    struct stored *next;
} stored;

int check_failed(void);                    /* is there a finding that makes the program fail? */
int check_exit_classes(const char *names); /* CUDA_CPU_EXIT; 0: one is unknown, which has been said */
int check_findings_of(int tool);           /* 0 memcheck, 1 racecheck, 2 initcheck, 3 synccheck, 4 hostcheck */
int cpudev_errors_expected_now(void);

extern stored *check_first_stored, **last_stored;
// Cheap early test: has this (kind, pc) been reported? Counts it if so.
int check_seen(const char *kind, void *pc);
int check_findings(void);
const char *check_tool_name(int tool);
// 1 if this is the first of its kind at this place, and it was written.
int check_report(check_finding *f);
void check_summary(void);
void check_write_json(const char *path);
void check_json_string(FILE *o, const char *s); // with its quotes; no '<' is in it, so that a page may hold it
void check_json_finding(FILE *o, const stored *s);
const stored *check_finding_at(int number); // NULL: there is none

#endif
