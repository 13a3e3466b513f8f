#include "verdicts.h"

#include "../process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char heading[] = "name,key,passed,for_gpu,cpu_s,wall_s,run,sum\n";

static char *line_of(const Verdict *v)
{
    char *most = text("%s,%016" PRIx64 ",%d,%d,%.2f,%.2f,%s", v->name, v->key, v->passed, v->for_gpu, v->cpu_s,
                      v->wall_s, v->run);
    char *line = text("%s,%08" PRIx32 "\n", most, (uint32_t)hash_bytes(HASH_START, most, strlen(most)));
    free(most);
    return line;
}

/* Reads a line into *v; 0 if it is none that line_of() writes. */
static int read_line(const char *line, size_t length, Verdict *v)
{
    char name[1024], run[64];
    char *whole = text("%.*s\n", (int)length, line);
    int fits = sscanf(whole, "%1023[^,],%" SCNx64 ",%d,%d,%lf,%lf,%63[^,],", name, &v->key, &v->passed, &v->for_gpu,
                      &v->cpu_s, &v->wall_s, run) == 7;
    if (fits) {
        v->name = copy(name);
        v->run = copy(run);
        char *again = line_of(v);
        fits = strcmp(again, whole) == 0 && v->passed >= 0 && v->for_gpu >= 0;
        free(again);
    }
    free(whole);
    return fits;
}

static Verdict *slot_of(Verdicts *v, const char *name)
{
    for (int i = v->count; i-- > 0;)
        if (strcmp(v->at[i].name, name) == 0)
            return &v->at[i];
    return NULL;
}

static void add_verdict(Verdicts *v, Verdict verdict)
{
    v->at = realloc(v->at, sizeof *v->at * (size_t)(v->count + 1));
    if (!v->at)
        die(1, "out of memory");
    v->at[v->count++] = verdict;
}

void verdicts_read(Verdicts *v, const char *path)
{
    char *content = file_read(path, NULL);
    for (const char *p = content; p && *p; p += p[0] == '\n') {
        size_t n = strcspn(p, "\n");
        Verdict one;
        if (read_line(p, n, &one))
            add_verdict(v, one);
        p += n;
    }
    free(content);
}

static int by_verdict_name(const void *a, const void *b)
{
    return strcmp(((const Verdict *)a)->name, ((const Verdict *)b)->name);
}

int verdicts_write(const Verdicts *v, const char *path)
{
    char *content = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&content, &size);
    if (!f)
        die(1, "out of memory");
    if (v->count)
        qsort(v->at, (size_t)v->count, sizeof *v->at, by_verdict_name);
    fputs(heading, f);
    for (int i = 0; i < v->count; i++) {
        char *line = line_of(&v->at[i]);
        fputs(line, f);
        free(line);
    }
    fclose(f);
    int status = file_write(path, content, size);
    free(content);
    return status;
}

const Verdict *verdict_of_name(const Verdicts *v, const char *name, const uint64_t *key)
{
    for (int i = v->count; i-- > 0;)
        if (strcmp(v->at[i].name, name) == 0 && (!key || v->at[i].key == *key))
            return &v->at[i];
    return NULL;
}

void verdict_set(Verdicts *v, Verdict verdict)
{
    verdict.name = copy(verdict.name);
    verdict.run = copy(verdict.run);
    for (Verdict *old; (old = slot_of(v, verdict.name)) != NULL;)
        *old = v->at[--v->count];
    add_verdict(v, verdict);
}

static char *git_says(const char *question)
{
    char *command = text("{ git %s; } 2>/dev/null", question);
    char *said = output_of_shell(command);
    free(command);
    return said;
}

static int asked_for(const char *what)
{
    const char *wish = getenv("COURSE_REMEMBERS");
    return wish && strcmp(wish, what) == 0;
}

int asked_for_all(void) { return asked_for("no"); }

int asked_for_more(void) { return asked_for("more"); }

char *this_run(void)
{
    char day[16];
    time_t now = time(NULL);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    char *commit = git_says("rev-parse --short=8 HEAD");
    char *changed = git_says("status --porcelain -- . ':!" VERDICTS_OF_FULL_RUN "' | head -1");
    char *run = text("%s %s%s", day, *commit ? commit : "(no git)", *changed ? "+" : "");
    free(commit), free(changed);
    return run;
}

uint64_t sample_number(const char *name)
{
    static char *commit;
    if (!commit)
        commit = git_says("rev-parse HEAD");
    return hash_bytes(hash_bytes(HASH_START, commit, strlen(commit)), name, strlen(name)) >> 20;
}

int in_sample(const char *name, int percent) { return (int)(sample_number(name) % 100) < percent; }
