/* json.c: CUDA_CPU_REPORT: the findings for a grader. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#include "report/chinese.h"
#include "report/findings.h"
#include "cpudev_written.h"

void check_json_string(FILE *o, const char *s)
{
    fputc('"', o);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            fprintf(o, "\\%c", c);
        else if (c < 32 || c == '<')
            fprintf(o, "\\u%04x", c);
        else
            fputc(c, o);
    }
    fputc('"', o);
}

static void json_place(FILE *o, const check_place *p, const char *line)
{
    if (p->device)
        fprintf(o, "\"block\": [%u, %u, %u], ", p->block[0], p->block[1], p->block[2]);
    if (p->device && p->has_thread)
        fprintf(o, "\"thread\": [%u, %u, %u], ", p->thread[0], p->thread[1], p->thread[2]);
    const char *colon = strrchr(line, ':');
    char file[320] = "";
    if (colon)
        snprintf(file, sizeof file, "%.*s", (int)(colon - line), line);
    fprintf(o, "\"file\": ");
    check_json_string(o, file);
    fprintf(o, ", \"line\": %d, \"what\": ", colon ? atoi(colon + 1) : 0);
    check_json_string(o, p->what);
}

void check_json_finding(FILE *o, const stored *s)
{
    const check_finding *f = &s->f;
    fprintf(o, "{\"tool\": \"%s\", \"kind\": \"%s\", \"severity\": \"%s\", \"message\": ", check_tool_name(f->tool),
            f->kind, f->only_note ? "note" : "error");
    check_json_string(o, f->title);
    fprintf(o, ", \"kernel\": ");
    check_json_string(o, f->kernel);
    fprintf(o, ", ");
    json_place(o, &f->at, s->at_line);
    if (f->has_other) {
        fprintf(o, ", \"other\": {");
        json_place(o, &f->other, s->other_line);
        fprintf(o, "}");
    }
    fprintf(o, ", \"launch\": ");
    check_json_string(o, s->launch_line);
    fprintf(o, ", \"memory\": ");
    check_json_string(o, f->object);
    fprintf(o, ", \"cause\": ");
    check_json_string(o, f->cause ? f->cause : "");
    fprintf(o, ", \"count\": %lu}", s->count);
}

void check_write_json(const char *path)
{
    FILE *o = fopen(path, "w");
    if (!o) {
        check_say_line("CUDA_CPU_REPORT: cannot write %s: %s", path, strerror(errno));
        return;
    }
    fprintf(o,
            "{\"errors\": %d, \"memcheck\": %d, \"racecheck\": %d, \"initcheck\": %d, \"synccheck\": %d, "
            "\"hostcheck\": %d,\n \"findings\": [",
            check_findings(), check_findings_of(0), check_findings_of(1), check_findings_of(2), check_findings_of(3),
            check_findings_of(4));
    for (stored *s = check_first_stored; s; s = s->next) {
        fprintf(o, "%s\n  ", s == check_first_stored ? "" : ",");
        check_json_finding(o, s);
    }
    fprintf(o, "\n]}\n");
    if (written_close(o))
        check_say_line("CUDA_CPU_REPORT: cannot write %s: %s", path, strerror(errno));
}
