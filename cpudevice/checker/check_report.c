// Findings in words: one paragraph on stderr, one JSON object for graders.
// Return addresses become file:line through one addr2line process, asked only
// when a finding is written. Frames inside the CPU device's own headers are
// passed over, so that a line is always the student's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>
#include "check_internal.h"

extern char **environ;
extern int cpudev_errors_expected __attribute__((weak));

int cpudev_errors_expected_now(void) { return &cpudev_errors_expected && cpudev_errors_expected; }

static pthread_mutex_t lock; // recursive: a report resolves lines
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void lock_init(void)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &a);
}
static void take(void)
{
	pthread_once(&once, lock_init);
	pthread_mutex_lock(&lock);
}
static void give(void) { pthread_mutex_unlock(&lock); }

// ---- return address -> file:line ------------------------------------------------

typedef struct line_entry { void *pc; char file[256]; int line; char function[128]; int ours; struct line_entry *next; } line_entry;
static line_entry *lines[1024];

static uintptr_t load_base;
static int first_object(struct dl_phdr_info *i, size_t n, void *d)
{
	(void)n;
	(void)d;
	load_base = i->dlpi_addr;
	return 1;
}

static FILE *to_tool, *from_tool;
static int tool_state; // 0 not started, 1 running, -1 none

static void tool_start(void)
{
	int in[2], out[2];
	tool_state = -1;
	dl_iterate_phdr(first_object, NULL);
	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) return;
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	if (n <= 0) return;
	exe[n] = 0;
	posix_spawn_file_actions_t fa;
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, in[0], 0);
	posix_spawn_file_actions_adddup2(&fa, out[1], 1);
	posix_spawn_file_actions_addopen(&fa, 2, "/dev/null", O_WRONLY, 0);
	char *argv[] = {"addr2line", "-a", "-i", "-f", "-C", "-e", exe, NULL};
	pid_t pid;
	int err = posix_spawnp(&pid, "addr2line", &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	close(in[0]);
	close(out[1]);
	if (err) {
		close(in[1]);
		close(out[0]);
		return;
	}
	to_tool = fdopen(in[1], "w");
	from_tool = fdopen(out[0], "r");
	if (to_tool && from_tool) tool_state = 1;
}

static int is_ours(const char *file)
{
	return strstr(file, "/cpudevice/include/") || strstr(file, "/cpudevice/runtime/") || strstr(file, "/cpudevice/checker/") || !strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9)
		|| strstr(file, "/common/ptx.cuh") || !strcmp(file, "common/ptx.cuh") || !strncmp(file, "cpudevice/include/", 18) || *file == '<';
}

static line_entry *resolve_pc(void *pc)
{
	unsigned h = (unsigned)((uintptr_t)pc * 2654435761u >> 16) & 1023;
	for (line_entry *e = lines[h]; e; e = e->next)
		if (e->pc == pc) return e;
	line_entry *e = calloc(1, sizeof *e);
	e->pc = pc;
	e->next = lines[h];
	lines[h] = e;
	if (!pc) return e;
	if (!tool_state) tool_start();
	if (tool_state < 0) return e;
	// The call ends just before its return address. A second, impossible
	// address marks the end of the answer.
	// The watchdog's signals would interrupt the reading.
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	fprintf(to_tool, "0x%lx\n0x%lx\n", (unsigned long)((uintptr_t)pc - 1 - load_base), 0xffffffffffffffful);
	fflush(to_tool);
	char text[4096], function[4096] = "";
	int blocks = 0, want_function = 1, done = 0;
	while (fgets(text, sizeof text, from_tool)) {
		if (!strncmp(text, "0x", 2)) {
			if (++blocks == 2) { // the marker's own two lines
				if (!fgets(text, sizeof text, from_tool) || !fgets(text, sizeof text, from_tool)) tool_state = -1;
				break;
			}
			want_function = 1;
			continue;
		}
		text[strcspn(text, "\n")] = 0;
		if (want_function) {
			snprintf(function, sizeof function, "%s", text);
			want_function = 0;
			continue;
		}
		want_function = 1;
		char *paren = strstr(text, " (discriminator");
		if (paren) *paren = 0;
		char *colon = strrchr(text, ':');
		if (!colon || done) continue;
		*colon = 0;
		int line = atoi(colon + 1);
		if (*text == '?' || !line) continue;
		int ours = is_ours(text);
		if (!e->line || (e->ours && !ours)) {
			snprintf(e->file, sizeof e->file, "%.255s", text);
			snprintf(e->function, sizeof e->function, "%.127s", function);
			e->line = line;
			e->ours = ours;
		}
		if (!ours) done = 1;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return e;
}

// A path as the student would write it: below the current directory if it is.
static const char *short_path(const char *f)
{
	static char cwd[4096];
	if (!*cwd && !getcwd(cwd, sizeof cwd)) strcpy(cwd, "/");
	size_t n = strlen(cwd);
	if (!strncmp(f, cwd, n) && f[n] == '/') f += n + 1;
	while (!strncmp(f, "./", 2)) f += 2;
	return f;
}

const char *check_line(void *pc)
{
	static __thread char out[4][320];
	static __thread int k;
	if (!pc) return "";
	take();
	line_entry *e = resolve_pc(pc);
	char *o = out[k = (k + 1) & 3];
	if (e->line) snprintf(o, sizeof out[0], "%.255s:%d", short_path(e->file), e->line);
	else *o = 0;
	give();
	return o;
}

int check_same_line(void *a, void *b)
{
	if (a == b) return 1;
	if (!a || !b) return 0;
	take();
	line_entry *x = resolve_pc(a), *y = resolve_pc(b);
	int same = x->line == y->line && !strcmp(x->file, y->file);
	give();
	return same;
}

// ---- source text ---------------------------------------------------------------------

static int source_line(const char *file, int line, char *out, size_t bytes)
{
	FILE *f = fopen(file, "r");
	if (!f) return 0;
	int ok = 0;
	char *text = NULL;
	size_t cap = 0;
	while (line > 0 && getline(&text, &cap, f) >= 0)
		if (--line == 0) {
			char *s = text + strspn(text, " \t");
			s[strcspn(s, "\r\n")] = 0;
			snprintf(out, bytes, "%s", s);
			ok = 1;
		}
	free(text);
	fclose(f);
	return ok;
}

// The line at or above `line` on which the loop around it begins; 0 if none is seen.
static int enclosing_loop(const char *file, int line, char *out, size_t bytes)
{
	char text[512];
	int depth = 0;
	for (int n = line; n > 0 && n > line - 60; n--) {
		if (!source_line(file, n, text, sizeof text)) return 0;
		int opens = 0;
		for (const char *p = text; *p && strncmp(p, "//", 2); p++) opens += (*p == '{') - (*p == '}');
		if (n < line) depth += opens;
		for (const char *p = text; *p && strncmp(p, "//", 2); p++) {
			size_t k = !strncmp(p, "while", 5) ? 5 : !strncmp(p, "for", 3) ? 3 : !strncmp(p, "do", 2) ? 2 : 0;
			int word = k && (p == text || !((p[-1] >= 'a' && p[-1] <= 'z') || p[-1] == '_')) && (p[k] == ' ' || p[k] == '(' || p[k] == '{' || !p[k]);
			if (word && (n == line || depth > 0 || !opens)) {
				snprintf(out, bytes, "%s", text);
				return n;
			}
		}
	}
	return 0;
}

int check_argument(void *pc, const char *function, int nth, char *out, size_t bytes)
{
	char text[1024];
	take();
	line_entry *e = resolve_pc(pc);
	int ok = e->line && source_line(e->file, e->line, text, sizeof text);
	give();
	if (!ok) return 0;
	char *p = strstr(text, function);
	if (!p || !*function) return 0;
	p += strlen(function);
	if (*p == '<') { // cudaMalloc<float>(...)
		while (*p && *p != '>') p++;
		if (*p) p++;
	}
	p += strcspn(p, "(");
	if (*p++ != '(') return 0;
	for (int depth = 0; *p && nth > 0; p++) {
		if (*p == '(') depth++;
		if (*p == ')' && depth-- == 0) return 0;
		if (*p == ',' && !depth) nth--;
	}
	p += strspn(p, " \t&");
	while (*p == '(') { // a cast
		char *q = strchr(p, ')');
		if (!q) return 0;
		if (q[1] == 0 || q[1] == ',' || q[1] == ')') {
			p++;
			break;
		}
		p = q + 1;
		p += strspn(p, " \t&");
	}
	size_t n = 0;
	while ((p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') || (p[n] >= '0' && p[n] <= '9') || p[n] == '_' || p[n] == '.' || p[n] == '[' || p[n] == ']'
		|| (p[n] == '-' && p[n + 1] == '>') || (n && p[n] == '>' && p[n - 1] == '-')) n++;
	if (!n) return 0;
	snprintf(out, bytes, "%.*s", (int)(n < bytes ? n : bytes - 1), p);
	return 1;
}

void check_describe_alloc(const check_alloc *a, char *out, size_t bytes)
{
	char name[64] = "";
	const char *fn = a->alloc_name ? a->alloc_name : a->kind == CPUDEV_MEM_HEAP ? "malloc in a kernel" : "allocation";
	int named = a->alloc_pc && check_argument(a->alloc_pc, fn, 0, name, sizeof name);
	const char *line = check_line(a->alloc_pc);
	snprintf(out, bytes, "%s%s%zu bytes, %s%s%s", named ? name : "", named ? ": " : "", a->bytes, fn, *line ? " at " : "", line);
}

// The kernel's own name, from whatever the core calls it.
const char *check_kernel_name(const char *name, char *out, size_t bytes)
{
	extern char *__cxa_demangle(const char *, char *, size_t *, int *) __attribute__((weak));
	if (!name) name = "?";
	char *d = NULL;
	int status = -1;
	if (__cxa_demangle && !strncmp(name, "_Z", 2)) d = __cxa_demangle(name, NULL, NULL, &status);
	snprintf(out, bytes, "%s", d && !status ? d : name);
	free(d);
	return out;
}

// ---- what has been seen -----------------------------------------------------------------

typedef struct stored {
	check_finding f;
	char at_line[320], other_line[320], launch_line[320], source[256], other_source[256];
	char at_file[256];
	int at_number;
	unsigned long count;
	struct stored *next;
} stored;
static stored *first_stored, **last_stored = &first_stored;
static int findings, per_tool[6];

typedef struct seen { const char *kind; void *pc; stored *what; struct seen *next; } seen;
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

// ---- the call stack of the thread that is running, to the first line that is the student's

typedef struct frames { void *pc[48]; int n; } frames;
static _Unwind_Reason_Code on_frame(struct _Unwind_Context *c, void *data)
{
	frames *f = data;
	if (f->n == 48) return _URC_END_OF_STACK;
	f->pc[f->n++] = (void *)_Unwind_GetIP(c);
	return _URC_NO_REASON;
}

// If pc lies in a header of ours that was not inlined, a caller's line says more.
static void *students_pc(void *pc)
{
	if (!pc) return pc;
	line_entry *e = resolve_pc(pc);
	if (e->line && !e->ours) return pc;
	frames f = {.n = 0};
	_Unwind_Backtrace(on_frame, &f);
	int on = 0;
	for (int i = 0; i < f.n; i++) {
		if (f.pc[i] == pc) on = 1;
		if (!on) continue;
		line_entry *x = resolve_pc(f.pc[i]);
		if (x->line && !x->ours) return f.pc[i];
	}
	return pc;
}

static int names_wide(const char *text)
{
	static const char *const names[] = {"float4", "int4", "double2", "double4", "long2", "long4", "Complex", "align"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strstr(text, names[i])) return 1;
	return 0;
}

int check_names_wide(void *pc)
{
	static struct { void *pc; int wide; } known[256]; // a struct may be read often
	unsigned h = (unsigned)((uintptr_t)pc * 2654435761u >> 16) & 255;
	take();
	if (known[h].pc != pc) {
		const line_entry *e = resolve_pc(students_pc(pc));
		FILE *f = e->line ? fopen(e->file, "r") : NULL;
		int number = 0, named = 0, structs = 0, here = !f;
		char *text = NULL;
		size_t cap = 0;
		while (f && getline(&text, &cap, f) >= 0) {
			int n = names_wide(text);
			if (++number == e->line) here = n;
			named |= n;
			structs |= strstr(text, "struct") || strstr(text, "class");
		}
		free(text);
		if (f) fclose(f);
		known[h].pc = pc;
		known[h].wide = here || (named && !structs);
	}
	int wide = known[h].wide;
	give();
	return wide;
}

// ---- one paragraph ----------------------------------------------------------------------------

static const char *tool_name(int tool)
{
	switch (tool) {
	case TOOL_MEM: return "memcheck";
	case TOOL_RACE: return "racecheck";
	case TOOL_INIT: return "initcheck";
	case TOOL_SYNC: return "synccheck";
	}
	return "hostcheck";
}
static int tool_index(int tool) { return tool == TOOL_MEM ? 0 : tool == TOOL_RACE ? 1 : tool == TOOL_INIT ? 2 : tool == TOOL_SYNC ? 3 : 4; }

static int colour(void)
{
	static int c = -1;
	if (c < 0) c = isatty(2) && !getenv("NO_COLOR") && (!getenv("TERM") || strcmp(getenv("TERM"), "dumb"));
	return c;
}

static void place_words(const check_place *p, char *out, size_t bytes)
{
	if (!p->device) snprintf(out, bytes, "host");
	else if (p->has_thread) snprintf(out, bytes, "block (%u,%u,%u), thread (%u,%u,%u)", p->block[0], p->block[1], p->block[2], p->thread[0], p->thread[1], p->thread[2]);
	else snprintf(out, bytes, "block (%u,%u,%u)", p->block[0], p->block[1], p->block[2]);
}

static void print_finding(const stored *s)
{
	const check_finding *f = &s->f;
	const char *red = colour() ? "\033[1;31m" : "", *bold = colour() ? "\033[1m" : "", *dim = colour() ? "\033[2m" : "", *off = colour() ? "\033[0m" : "";
	char who[128];
	fflush(stdout);
	flockfile(stderr);
	fprintf(stderr, "%s%s:%s %s%s%s\n", red, tool_name(f->tool), off, bold, f->title, off);
	if (*f->kernel) fprintf(stderr, "    kernel %s%s%s\n", f->kernel, *s->launch_line ? ", launched at " : "", s->launch_line);
	place_words(&f->at, who, sizeof who);
	fprintf(stderr, "    %s%s%s%s%s%s%s\n", who, *f->at.what ? " " : "", f->at.what, *s->at_line ? "\n        at " : "", bold, s->at_line, off);
	if (*s->source) fprintf(stderr, "        %s| %s%s\n", dim, s->source, off);
	if (f->has_other) {
		place_words(&f->other, who, sizeof who);
		fprintf(stderr, "    %s%s%s%s%s%s%s\n", who, *f->other.what ? " " : "", f->other.what, *s->other_line ? "\n        at " : "", bold, s->other_line, off);
		if (*s->other_source && strcmp(s->other_line, s->at_line)) fprintf(stderr, "        %s| %s%s\n", dim, s->other_source, off);
	}
	if (*f->object) fprintf(stderr, "    memory: %s\n", f->object);
	if (*f->note) fprintf(stderr, "    note: %s\n", f->note);
	if (f->cause) fprintf(stderr, "    usual cause: %s\n", f->cause);
	funlockfile(stderr);
}

int check_report(check_finding *f)
{
	if (cpudev_errors_expected_now() && !strcmp(f->kind, "api")) return 0;
	take();
	stored *s = calloc(1, sizeof *s);
	s->f = *f;
	s->count = 1;
	void *pc = students_pc(f->at.pc);
	const line_entry *e = pc ? resolve_pc(pc) : NULL;
	if (f->file && !(f->file_if_none && e && e->line && !e->ours)) {
		snprintf(s->at_file, sizeof s->at_file, "%.255s", short_path(f->file));
		s->at_number = f->line;
		snprintf(s->at_line, sizeof s->at_line, "%.255s:%d", s->at_file, f->line);
		source_line(f->file, f->line, s->source, sizeof s->source);
	} else if (e) {
		if (e->line) {
			snprintf(s->at_file, sizeof s->at_file, "%.255s", short_path(e->file));
			s->at_number = e->line;
			snprintf(s->at_line, sizeof s->at_line, "%.255s:%d", s->at_file, e->line);
			source_line(e->file, e->line, s->source, sizeof s->source);
		}
	}
	char loop[512];
	int loop_line = !strcmp(f->kind, "endless") && s->at_number ? enclosing_loop(s->at_file, s->at_number, loop, sizeof loop) : 0;
	if (loop_line) { // where the loop begins says more than where it was met
		s->f.has_other = 1;
		s->f.other = s->f.at;
		snprintf(s->f.other.what, sizeof s->f.other.what, "goes round this loop");
		snprintf(s->other_line, sizeof s->other_line, "%.255s:%d", s->at_file, loop_line);
		snprintf(s->other_source, sizeof s->other_source, "%.255s", loop);
	}
	if (f->has_other && f->other.pc) {
		line_entry *e = resolve_pc(f->other.pc);
		if (e->line) {
			snprintf(s->other_line, sizeof s->other_line, "%.255s:%d", short_path(e->file), e->line);
			source_line(e->file, e->line, s->other_source, sizeof s->other_source);
		}
	}
	if (f->launch_pc) snprintf(s->launch_line, sizeof s->launch_line, "%s", check_line(f->launch_pc));
	// Remember the address, then look for the same finding from the same line.
	seen *x = malloc(sizeof *x);
	stored *before = NULL;
	for (stored *q = first_stored; q; q = q->next) {
		if (q->f.tool != f->tool || strcmp(q->f.kind, f->kind) || !*s->at_line) continue;
		// The two halves of one race are one finding.
		int turned = f->has_other && q->f.has_other && *s->other_line && !strcmp(q->at_line, s->other_line) && !strcmp(q->other_line, s->at_line);
		if (turned || (!strcmp(q->at_line, s->at_line) && (strcmp(f->kind, "leak") || !strcmp(q->f.title, f->title)))) {
			before = q;
			break;
		}
	}
	unsigned h = seen_hash(f->at.pc);
	*x = (seen){f->key ? f->key : f->kind, f->at.pc, before ? before : s, seen_table[h]};
	__atomic_store_n(&seen_table[h], x, __ATOMIC_RELEASE);
	if (before) {
		before->count++;
		free(s);
		give();
		return 0;
	}
	findings++;
	per_tool[tool_index(f->tool)]++;
	*last_stored = s;
	last_stored = &s->next;
	print_finding(s);
	give();
	return 1;
}

// ---- the end -----------------------------------------------------------------------------------------

static void json_string(FILE *o, const char *s)
{
	fputc('"', o);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c == '"' || c == '\\') fprintf(o, "\\%c", c);
		else if (c < 32) fprintf(o, "\\u%04x", c);
		else fputc(c, o);
	}
	fputc('"', o);
}

static void json_place(FILE *o, const check_place *p, const char *line)
{
	if (p->device) fprintf(o, "\"block\": [%u, %u, %u], ", p->block[0], p->block[1], p->block[2]);
	if (p->device && p->has_thread) fprintf(o, "\"thread\": [%u, %u, %u], ", p->thread[0], p->thread[1], p->thread[2]);
	const char *colon = strrchr(line, ':');
	char file[320] = "";
	if (colon) snprintf(file, sizeof file, "%.*s", (int)(colon - line), line);
	fprintf(o, "\"file\": ");
	json_string(o, file);
	fprintf(o, ", \"line\": %d, \"what\": ", colon ? atoi(colon + 1) : 0);
	json_string(o, p->what);
}

static void write_json(const char *path)
{
	FILE *o = fopen(path, "w");
	if (!o) {
		fprintf(stderr, "CUDA_CPU_REPORT: cannot write %s: %s\n", path, strerror(errno));
		return;
	}
	fprintf(o, "{\"errors\": %d, \"memcheck\": %d, \"racecheck\": %d, \"initcheck\": %d, \"synccheck\": %d, \"hostcheck\": %d,\n \"findings\": [", findings,
		per_tool[0], per_tool[1], per_tool[2], per_tool[3], per_tool[4]);
	for (stored *s = first_stored; s; s = s->next) {
		const check_finding *f = &s->f;
		fprintf(o, "%s\n  {\"tool\": \"%s\", \"kind\": \"%s\", \"message\": ", s == first_stored ? "" : ",", tool_name(f->tool), f->kind);
		json_string(o, f->title);
		fprintf(o, ", \"kernel\": ");
		json_string(o, f->kernel);
		fprintf(o, ", ");
		json_place(o, &f->at, s->at_line);
		if (f->has_other) {
			fprintf(o, ", \"other\": {");
			json_place(o, &f->other, s->other_line);
			fprintf(o, "}");
		}
		fprintf(o, ", \"launch\": ");
		json_string(o, s->launch_line);
		fprintf(o, ", \"memory\": ");
		json_string(o, f->object);
		fprintf(o, ", \"cause\": ");
		json_string(o, f->cause ? f->cause : "");
		fprintf(o, ", \"count\": %lu}", s->count);
	}
	fprintf(o, "\n]}\n");
	if (fclose(o)) fprintf(stderr, "CUDA_CPU_REPORT: cannot write %s: %s\n", path, strerror(errno));
}

void check_summary(void)
{
	take();
	fflush(stdout);
	const char *path = getenv("CUDA_CPU_REPORT");
	if (path && *path) write_json(path);
	const char *c = colour() ? (findings ? "\033[1;31m" : "\033[1;32m") : "", *off = colour() ? "\033[0m" : "";
	if (getenv("CUDA_CPU_SHADOW")) fprintf(stderr, "cucc --check: %zu bytes of shadow memory at most; %lu regions ran without callbacks\n", check_shadow_bytes(), check_regions_plain());
	if (check_tools & ~TOOL_COUNTERS)
		fprintf(stderr, "%scucc --check: %d error%s (memcheck %d, racecheck %d, initcheck %d, synccheck %d, hostcheck %d)%s\n", c, findings, findings == 1 ? "" : "s",
			per_tool[0], per_tool[1], per_tool[2], per_tool[3], per_tool[4], off);
	fflush(stderr);
	give();
}
