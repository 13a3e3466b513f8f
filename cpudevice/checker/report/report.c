/* report.c: findings on stderr, one paragraph each; equal ones from one line are counted. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/findings.h"
#include "report/chinese.h"
#include "core/hooks.h"
#include "device/last_error.h"
#include "device/message.h"
#include "cpudev_must.h"
#include "report/lines.h"
#include "core/tools.h"

int cpudev_errors_expected_now(void) { return cpudev_errors_expected; }

stored *check_first_stored, **last_stored = &check_first_stored;

enum { LEAK = 5, CLASSES = 6, SAID = 1536 };
static int findings, notes, per_tool[6], per_class[CLASSES];

typedef struct seen {
    const char *kind;
    void *pc;
    stored *what;
    struct seen *next;
} seen;

static seen *seen_table[4096];

static unsigned seen_hash(void *pc) { return (unsigned)((uintptr_t)pc * 2654435761u >> 12) & 4095; }

int check_seen(const char *kind, void *pc)
{
    for (seen *s = __atomic_load_n(&seen_table[seen_hash(pc)], __ATOMIC_ACQUIRE); s; s = s->next)
        if (s->pc == pc && !strcmp(s->kind, kind)) {
            __atomic_fetch_add(&s->what->count, 1, __ATOMIC_RELAXED);
            return 1;
        }
    return 0;
}

int check_findings(void) { return findings; }

/* CUDA_CPU_EXIT names, by commas, the classes of findings that make the program fail: the tools, and leak. */
static unsigned exit_classes = (1 << CLASSES) - 1;

int check_exit_classes(const char *names)
{
    static const char *const known[CLASSES] = {"memcheck", "racecheck", "initcheck", "synccheck", "hostcheck", "leak"};
    unsigned classes = 0;
    while (*names) {
        size_t n = strcspn(names, ","), i = 0;
        while (i < CLASSES && (strlen(known[i]) != n || strncmp(known[i], names, n)))
            i++;
        if (i == CLASSES && strncmp(names, "none", n)) {
            check_say_line(
                "CUDA_CPU_EXIT: unknown class '%.*s' (memcheck, racecheck, initcheck, synccheck, hostcheck, leak, "
                "none)",
                (int)n, names);
            return 0;
        }
        classes |= i < CLASSES ? 1u << i : 0;
        names += n + (names[n] == ',');
    }
    exit_classes = classes;
    return 1;
}

int check_failed(void)
{
    for (int i = 0; i < CLASSES; i++)
        if (exit_classes >> i & 1 && per_class[i])
            return 1;
    return 0;
}

const stored *check_finding_at(int number)
{
    const stored *s = check_first_stored;
    while (s && s->number != number)
        s = s->next;
    return s;
}

const char *check_tool_name(int tool)
{
    switch (tool) {
    case TOOL_MEM: return "memcheck";
    case TOOL_RACE: return "racecheck";
    case TOOL_INIT: return "initcheck";
    case TOOL_SYNC: return "synccheck";
    }
    return "hostcheck";
}

static int tool_index(int tool)
{
    return tool == TOOL_MEM ? 0 : tool == TOOL_RACE ? 1 : tool == TOOL_INIT ? 2 : tool == TOOL_SYNC ? 3 : 4;
}

static int colour(void)
{
    static int c = -1;
    if (c < 0)
        c = isatty(2) && !getenv("NO_COLOR") && (!getenv("TERM") || strcmp(getenv("TERM"), "dumb"));
    return c;
}

static void place_words(const check_place *p, char *out, size_t bytes)
{
    char english[128];
    if (!p->device)
        snprintf(english, sizeof english, "host");
    else if (p->has_thread)
        snprintf(english, sizeof english, "block (%u,%u,%u), thread (%u,%u,%u)", p->block[0], p->block[1], p->block[2],
                 p->thread[0], p->thread[1], p->thread[2]);
    else
        snprintf(english, sizeof english, "block (%u,%u,%u)", p->block[0], p->block[1], p->block[2]);
    snprintf(out, bytes, "%s", check_say_text(english, (char[160]){0}, 160));
}

// Where it was, and what was done there.
static void print_place(const check_place *p, const char *line, const char *bold, const char *off)
{
    char who[160], what[SAID];
    place_words(p, who, sizeof who);
    fprintf(stderr, "    %s%s%s%s%s%s%s%s\n", who,
            !*p->what            ? ""
            : check_in_chinese() ? "："
                                 : " ",
            check_say_text(p->what, what, sizeof what), *line ? "\n" : "", *line ? check_say("        at ") : "", bold,
            line, off);
}

static void print_finding(const stored *s)
{
    const check_finding *f = &s->f;
    const char *red = colour() ? "\033[1;31m" : "", *bold = colour() ? "\033[1m" : "", *dim = colour() ? "\033[2m" : "",
               *off = colour() ? "\033[0m" : "";
    char words[SAID];
    fflush(stdout);
    flockfile(stderr);
    fprintf(stderr, "%s%s%s%s%s%s%s%s%s\n", f->only_note ? "" : red, check_tool_name(f->tool),
            f->only_note ? check_say(" (note)") : "", check_in_chinese() ? "：" : ":", off,
            check_in_chinese() ? "" : " ", bold, check_say_text(f->title, words, sizeof words), off);
    if (*f->kernel)
        fprintf(stderr, "%s%s%s%s\n", check_say("    kernel "), f->kernel,
                *s->launch_line ? check_say(", launched at ") : "", s->launch_line);
    print_place(&f->at, s->at_line, bold, off);
    if (*s->source)
        fprintf(stderr, "        %s| %s%s\n", dim, s->source, off);
    if (f->has_other) {
        print_place(&f->other, s->other_line, bold, off);
        if (*s->other_source && strcmp(s->other_line, s->at_line))
            fprintf(stderr, "        %s| %s%s\n", dim, s->other_source, off);
    }
    if (*f->object)
        fprintf(stderr, "%s%s\n", check_say("    memory: "), check_say_text(f->object, words, sizeof words));
    if (*f->note)
        fprintf(stderr, "%s%s\n", check_say("    note: "), check_say_text(f->note, words, sizeof words));
    if (f->cause)
        fprintf(stderr, "%s%s\n", check_say("    usual cause: "), check_say_text(f->cause, words, sizeof words));
    funlockfile(stderr);
}

// gcc 10 reports a volatile access as any other: in a function that has some, what looks like a race may be none.
static void doubt_race(check_finding *f)
{
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 11
    void *pc = f->tool == TOOL_RACE || !strcmp(f->kind, "host-race") ? check_students_pc(f->at.pc) : NULL;
    const line_entry *e = pc ? check_resolve_pc(pc) : NULL;
    if (!e || !e->line || !check_function_says(e->file, e->line, "volatile"))
        return;
    f->only_note = 1;
    f->cause =
        "gcc 10 does not say which accesses are volatile; this is not a race if both are. gcc 11 and clang do say so";
#else
    (void)f;
#endif
}

// The finding's own line: of its pc, or the one that the finding brings.
static void locate(stored *s)
{
    const check_finding *f = &s->f;
    void *pc = check_students_pc(f->at.pc);
    const line_entry *e = pc ? check_resolve_pc(pc) : NULL;
    const char *file = e ? e->file : NULL;
    int line = e ? e->line : 0;
    if (f->file && !(f->file_if_none && e && e->line && !e->ours)) {
        file = f->file;
        line = f->line;
    } else if (!line)
        return;
    snprintf(s->at_file, sizeof s->at_file, "%.255s", check_short_path(file));
    s->at_number = line;
    snprintf(s->at_line, sizeof s->at_line, "%.255s:%d", s->at_file, line);
    check_source_line(file, line, s->source, sizeof s->source);
}

// Of a kernel that makes no progress, where the loop begins says more than where it was met.
static void locate_loop(stored *s)
{
    char loop[512];
    if ((strcmp(s->f.kind, "endless") && strcmp(s->f.kind, "long-running")) || !s->at_number)
        return;
    int line = check_enclosing_loop(s->at_file, s->at_number, loop, sizeof loop), next = s->at_number + 1;
    if (!line && check_enclosing_loop(s->at_file, next, loop, sizeof loop) == next)
        line = next; // the compiler may give a loop's instructions the line of the statement before it
    if (!line)
        return;
    s->f.has_other = 1;
    s->f.other = s->f.at;
    snprintf(s->f.other.what, sizeof s->f.other.what, "goes round this loop");
    snprintf(s->other_line, sizeof s->other_line, "%.255s:%d", s->at_file, line);
    snprintf(s->other_source, sizeof s->other_source, "%.255s", loop);
}

static void locate_other(stored *s, const check_finding *f)
{
    if (!f->has_other || !f->other.pc)
        return;
    const line_entry *e = check_resolve_pc(f->other.pc);
    if (!e->line)
        return;
    snprintf(s->other_line, sizeof s->other_line, "%.255s:%d", check_short_path(e->file), e->line);
    check_source_line(e->file, e->line, s->other_source, sizeof s->other_source);
}

// The same finding told before from the same line; NULL if there is none. The two halves of one race are one finding.
static stored *told_before(const stored *s, const check_finding *f)
{
    for (stored *q = check_first_stored; q && *s->at_line; q = q->next) {
        if (q->f.tool != f->tool || strcmp(q->f.kind, f->kind))
            continue;
        int turned = f->has_other && q->f.has_other && *s->other_line && !strcmp(q->at_line, s->other_line) &&
                     !strcmp(q->other_line, s->at_line);
        if (turned || (!strcmp(q->at_line, s->at_line) && (strcmp(f->kind, "leak") || !strcmp(q->f.title, f->title))))
            return q;
    }
    return NULL;
}

// Findings from this address need not be looked at again.
static void remember(const check_finding *f, stored *as)
{
    seen *x = must(malloc(sizeof *x));
    unsigned h = seen_hash(f->at.pc);
    *x = (seen){f->key ? f->key : f->kind, f->at.pc, as, seen_table[h]};
    __atomic_store_n(&seen_table[h], x, __ATOMIC_RELEASE);
}

static void count_and_keep(stored *s, const check_finding *f)
{
    if (f->only_note)
        notes++;
    else {
        findings++;
        per_tool[tool_index(f->tool)]++;
        per_class[!strcmp(f->kind, "leak") ? LEAK : tool_index(f->tool)]++;
    }
    s->number = findings + notes;
    if (check_hooks.finding_made)
        check_hooks.finding_made(s->number, f);
    *last_stored = s;
    last_stored = &s->next;
}

int check_report(check_finding *f)
{
    if (cpudev_errors_expected_now() && !strcmp(f->kind, "api"))
        return 0;
    check_report_lock();
    doubt_race(f);
    if (f->only_note && getenv("CUDA_CPU_STRICT"))
        f->only_note = 0;
    if (system_refused() && !f->only_note) {
        fflush(stdout);
        check_say_line(
            "cucc --check: something went wrong after that, which need not be the program's fault, and is not "
            "judged");
        _exit(2);
    }
    stored *s = must(calloc(1, sizeof *s));
    s->f = *f;
    s->count = 1;
    locate(s);
    locate_loop(s);
    locate_other(s, f);
    if (f->launch_pc)
        snprintf(s->launch_line, sizeof s->launch_line, "%s", check_line(f->launch_pc));
    stored *before = told_before(s, f);
    remember(f, before ? before : s);
    if (before) {
        before->count++;
        free(s);
    } else {
        count_and_keep(s, f);
        print_finding(s);
    }
    check_report_unlock();
    return !before;
}

void check_summary(void)
{
    check_report_lock();
    fflush(stdout);
    const char *c = colour() ? (findings ? "\033[1;31m" : "\033[1;32m") : "", *off = colour() ? "\033[0m" : "";
    char noted[32] = "", words[256], said[320];
    if (notes)
        snprintf(noted, sizeof noted, ", %d note%s", notes, notes == 1 ? "" : "s");
    snprintf(words, sizeof words,
             "cucc --check: %d error%s (memcheck %d, racecheck %d, initcheck %d, synccheck %d, hostcheck %d)%s",
             findings, findings == 1 ? "" : "s", per_tool[0], per_tool[1], per_tool[2], per_tool[3], per_tool[4],
             noted);
    if (check_tools & ~TOOL_COUNTERS)
        fprintf(stderr, "%s%s%s\n", c, check_say_text(words, said, sizeof said), off);
    fflush(stderr);
    check_report_unlock();
}

int check_findings_of(int tool) { return per_tool[tool]; }
