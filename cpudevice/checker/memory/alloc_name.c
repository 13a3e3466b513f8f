/* alloc_name.c: what the student calls an allocation: the variable that its address was put into, from the source.
 *
 * A line may have several calls of cudaMalloc(): which of them an allocation is follows from the order in which the
 * calls were first made. A call in a function of the student's own is named by the line that calls that function, and
 * allocations that one place has made again and again are numbered. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "report/lines.h"
#include "memory/kernel_memory.h"

/* A line that has a part in an allocation: of the call of cudaMalloc(), or of the function around it. */
typedef struct site {
    const char *file; // as check_resolve_pc() has it, which keeps it
    int line;
    char function[64]; // that is called there
} site;

// The plain name in "T *device_array<T>(int)".
static void plain_name(const char *function, char *out, size_t bytes)
{
    size_t n = strcspn(function, "<(");
    const char *begin = function + n;
    while (begin > function && check_is_name(begin[-1]))
        begin--;
    snprintf(out, bytes, "%.*s", (int)(function + n - begin), begin);
}

static void own_site(const check_alloc *a, site *s)
{
    const line_entry *e = check_resolve_pc(a->alloc_pc);
    s->file = e->file;
    s->line = e->line;
    snprintf(s->function, sizeof s->function, "%s",
             a->alloc_name                ? a->alloc_name
             : a->kind == CPUDEV_MEM_HEAP ? "malloc"
                                          : "");
}

// The call of the function that has the call of cudaMalloc(); false if that is main() or nothing is known.
static bool callers_site(const check_alloc *a, site *s)
{
    const line_entry *e = check_resolve_pc(a->alloc_pc), *c;
    plain_name(e->function, s->function, sizeof s->function);
    if (!e->line || !*s->function || !strcmp(s->function, "main"))
        return false;
    if (e->site_line) { // inlined there
        s->file = e->site_file;
        s->line = e->site_line;
        return true;
    }
    if (!a->caller || !(c = check_resolve_pc(a->caller))->line || c->ours)
        return false;
    s->file = c->file;
    s->line = c->line;
    return true;
}

static bool site_of(const check_alloc *a, bool callers, site *s)
{
    if (callers)
        return callers_site(a, s);
    own_site(a, s);
    return s->line != 0;
}

static bool same_site(const site *a, const site *b)
{
    return a->line == b->line && !strcmp(a->function, b->function) && !strcmp(a->file, b->file);
}

static bool same_calls(const check_alloc *a, const check_alloc *b)
{
    return a->alloc_pc == b->alloc_pc && a->caller == b->caller;
}

// Of the calls at a's site, in the order in which they were first made: which is a's?
static int nth_call(const check_alloc *a, bool callers)
{
    enum { MOST = 64 };
    const check_alloc *known[MOST];
    int n = 0;
    site here, s;
    if (!site_of(a, callers, &here))
        return 0;
    for (const check_alloc *q = check_heap.allocs; q <= a && n < MOST; q++) {
        int k = 0;
        if (!q->alloc_pc || !site_of(q, callers, &s) || !same_site(&s, &here))
            continue;
        while (k < n && !(callers ? same_calls(known[k], q) : known[k]->alloc_pc == q->alloc_pc))
            k++;
        if (k == n)
            known[n++] = q;
        if (q == a)
            return k;
    }
    return 0;
}

// Behind the name of a function: its template arguments are passed over. NULL if this is no call.
static const char *arguments(const char *p)
{
    if (*p == '<') {
        p += strcspn(p, ">");
        p += *p == '>';
    }
    p += strspn(p, " \t");
    return *p == '(' ? p + 1 : NULL;
}

/* Where `function` is called in the text, for the nth time (from 0), counted round if it is called there less often.
 * `inside` is where its arguments begin. */
static const char *find_call(const char *text, const char *function, int nth, const char **inside)
{
    const char *calls[32];
    int n = 0;
    size_t length = strlen(function);
    for (const char *p = text; length && n < 32 && (p = strstr(p, function)); p += length)
        if ((p == text || !check_is_name(p[-1])) && arguments(p + length))
            calls[n++] = p;
    if (!n)
        return NULL;
    *inside = arguments(calls[nth % n] + length);
    return calls[nth % n];
}

static size_t variable_length(const char *p)
{
    size_t n = 0;
    while (check_is_name(p[n]) || p[n] == '.' || p[n] == '[' || p[n] == ']' || (p[n] == '-' && p[n + 1] == '>') ||
           (n && p[n] == '>' && p[n - 1] == '-'))
        n++;
    return n;
}

static bool copy_variable(const char *p, char *out, size_t bytes)
{
    size_t n = variable_length(p);
    if (n)
        snprintf(out, bytes, "%.*s", (int)(n < bytes ? n : bytes - 1), p);
    return n != 0;
}

// The first argument of a call, as in `(void **)&x`: x.
static bool first_argument(const char *p, char *out, size_t bytes)
{
    p += strspn(p, " \t&");
    while (*p == '(') { // a cast
        const char *q = strchr(p, ')');
        if (!q)
            return false;
        if (q[1] == 0 || q[1] == ',' || q[1] == ')') {
            p++;
            break;
        }
        p = q + 1;
        p += strspn(p, " \t&");
    }
    return copy_variable(p, out, bytes);
}

// Is the variable declared as a cudaError_t, on this line or on one of those before it?
static bool is_status(const site *s, const char *name, size_t length)
{
    enum { LINES = 40 };
    char text[1024];
    for (int line = s->line; line > 0 && line > s->line - LINES && check_source_line(s->file, line, text, sizeof text);
         line--)
        for (const char *p = text; (p = strstr(p, "cudaError_t ")); p++) {
            const char *declared = p + strlen("cudaError_t ");
            if (!strncmp(declared, name, length) && !check_is_name(declared[length]))
                return true;
        }
    return false;
}

/* What the result of a call at `call` is put into, as in `float *x = call`, unless that is a status; or an argument whose
 * address it is given. */
static bool result_of(const site *s, const char *text, const char *call, const char *inside, char *out, size_t bytes)
{
    const char *p = call;
    while (p > text && (p[-1] == ' ' || p[-1] == ':' || (check_is_name(p[-1]) && p < call && *p == ':')))
        p--;
    if (p > text + 1 && p[-1] == '=' && !strchr("=!<>", p[-2])) {
        const char *end = p - 1;
        while (end > text && end[-1] == ' ')
            end--;
        const char *begin = end;
        while (begin > text && (check_is_name(begin[-1]) || strchr(".[]>-", begin[-1])))
            begin--;
        if (begin < end && !is_status(s, begin, (size_t)(end - begin)) && copy_variable(begin, out, bytes))
            return true;
    }
    int depth = 0;
    for (p = inside; *p && depth >= 0; p++) {
        depth += (*p == '(') - (*p == ')');
        if (*p == '&' && p[1] != '&' && copy_variable(p + 1, out, bytes))
            return true;
    }
    return false;
}

static bool name_at(const check_alloc *a, bool callers, char *out, size_t bytes)
{
    site s;
    char text[1024];
    const char *inside;
    if (!site_of(a, callers, &s) || !check_source_line(s.file, s.line, text, sizeof text))
        return false;
    const char *call = find_call(text, s.function, nth_call(a, callers), &inside);
    if (!call)
        return false;
    return callers ? result_of(&s, text, call, inside, out, bytes) : first_argument(inside, out, bytes);
}

int check_alloc_name(const check_alloc *a, char *out, size_t bytes)
{
    *out = 0;
    if (!a->alloc_pc)
        return 0;
    check_report_lock();
    bool named = name_at(a, true, out, bytes) || name_at(a, false, out, bytes);
    check_report_unlock();
    return named;
}

// Is q, too, made at a's line for a's caller, and goes by this name?
static bool same_in_words(const check_alloc *q, const check_alloc *a, const char *name)
{
    site s, t;
    char other[64];
    if (q == a)
        return true;
    if (!q->alloc_pc || q->alloc_name != a->alloc_name || !check_same_line(q->alloc_pc, a->alloc_pc))
        return false;
    bool called = callers_site(a, &s);
    if (called != callers_site(q, &t) || (called && !same_site(&s, &t)))
        return false;
    check_alloc_name(q, other, sizeof other);
    return !strcmp(name, other);
}

// ", the 2nd of 3 made there", where words do not tell a from others.
static void number_among_equals(const check_alloc *a, const char *name, char *out, size_t bytes)
{
    enum { MOST = 1000 }; // a line that has made thousands of arrays: counting them would take too long
    unsigned number = 0, all = 0;
    *out = 0;
    check_report_lock();
    for (const check_alloc *q = check_heap.allocs; q < check_heap.allocs + check_heap.count && all < MOST; q++)
        if (same_in_words(q, a, name)) {
            all++;
            number += q <= a;
        }
    check_report_unlock();
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    unsigned last = number % 100 / 10 == 1 || number % 10 > 3 ? 0 : number % 10;
    if (all > 1 && all < MOST)
        snprintf(out, bytes, ", the %u%s of %u made there", number, endings[last], all);
}

void check_describe_alloc(const check_alloc *a, char *out, size_t bytes)
{
    char name[64], number[64], place[320] = "";
    const char *function = a->alloc_name                ? a->alloc_name
                           : a->kind == CPUDEV_MEM_HEAP ? "malloc in a kernel"
                                                        : "allocation";
    int named = check_alloc_name(a, name, sizeof name);
    const char *line = check_line(a->alloc_pc);
    site s;
    check_report_lock();
    if (a->alloc_pc && *line && callers_site(a, &s))
        snprintf(place, sizeof place, ", called at %.255s:%d", check_short_path(s.file), s.line);
    check_report_unlock();
    number_among_equals(a, name, number, sizeof number);
    snprintf(out, bytes, "%s%s%zu bytes, %s%s%s%s%s", name, named ? ": " : "", a->bytes, function, *line ? " at " : "",
             line, place, number);
}
