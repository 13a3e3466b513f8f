/* page.c: the recording as a page of its own: page.html with the data in it, as JSON.
 *
 *   {"program", "launch": {"number", "kernel", "grid", "block", "static", "dynamic", "file", "line"},
 *    "launches": [[kernel, grid, block, findings], ...], "parameters": [[name, type, value] or [name, type, null, words
 * of a struct], ...], "files": [{"name", "text"}], "places": [[file, line], ...], "sites": [{"file", "line", "kind",
 * "memory", "bytes", "async", "sums": [requests, sectors, ideal, lanes, instructions, wavefronts, conflicts]}, ...],
 * "arrays":
 * [{"name", "about", "memory", "base", "bytes"}], "rows", "findings": [as CUDA_CPU_REPORT has them], "chinese": of each
 * finding [message, what, what of the other, cause] where Chinese is asked for, "blocks":
 * [{"block", "threads", "steps", "barriers", "left", "marks": [[finding, at, other], ...], "code": base64}]}
 *
 * A file is an index into files, or -1.  No string holds a '<', so none can end the script that holds them. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "view.h"
#include "report/chinese.h"
#include "report/lines.h"

static const char markup[] =
#include "page.html.h"
    ;
static const char chinese[] =
#include "chinese.js.h"
    ;
const char view_script[] = /* what the page and still pictures share */
#include "words.js.h"
#include "hardware.js.h"
#include "recording.js.h"
#include "svg.js.h"
#include "draw_hardware.js.h"
#include "draw_array.js.h"
#include "draw_flow.js.h"
#include "still.js.h"
    ;
static const char page_script[] =
#include "page.js.h"
    ;

enum { MOST_FILES = 16, MOST_TEXT = 1 << 20, SAID = 1024 /* bytes of a text in Chinese */ };

typedef struct files { /* those that are shown, by the names that check_line() gives them */
    char name[MOST_FILES][320];
    int count;
} files;

/* Splits "file:line"; the file's index, or -1. */
static int file_of(files *f, const char *where, int *line)
{
    char name[320];
    const char *colon = strrchr(where, ':');
    *line = colon ? atoi(colon + 1) : 0;
    if (!*line)
        return -1;
    snprintf(name, sizeof name, "%.*s", (int)(colon - where), where);
    for (int i = 0; i < f->count; i++)
        if (!strcmp(f->name[i], name))
            return i;
    if (f->count == MOST_FILES)
        return -1;
    strcpy(f->name[f->count], name);
    return f->count++;
}

static int place(files *f, uintptr_t pc, int *line) { return file_of(f, check_line((void *)pc), line); }

/* Of an access by cp.async and what is built on it: the copy begins, or its bytes arrive; else "". */
static const char *async_part(const view_site *s)
{
    check_report_lock();
    const char *function = check_resolve_pc((void *)(s->key << 16 >> 16))->outer;
    const char *part = strstr(function, "cpudev_async_spoil")        ? "begins"
                       : strstr(function, "cpudev_async_copy_bytes") ? "arrives"
                                                                     : "";
    check_report_unlock();
    return part;
}

static void text_of(FILE *o, const char *name)
{
    FILE *in = fopen(name, "r");
    char *text = in ? malloc(MOST_TEXT + 1) : NULL;
    size_t n = text ? fread(text, 1, MOST_TEXT, in) : 0;
    if (text)
        text[n] = 0;
    check_json_string(o, text ? text : "");
    free(text);
    if (in)
        fclose(in);
}

static void triple(FILE *o, const uint32_t v[3]) { fprintf(o, "[%u,%u,%u]", v[0], v[1], v[2]); }

static void base64(FILE *o, const view_bytes *b)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    fputc('"', o);
    for (size_t i = 0; i < b->count; i += 3) {
        size_t n = b->count - i;
        uint32_t v = (uint32_t)b->p[i] << 16 | (n > 1 ? (uint32_t)b->p[i + 1] << 8 : 0) | (n > 2 ? b->p[i + 2] : 0);
        fputc(digit[v >> 18], o);
        fputc(digit[v >> 12 & 63], o);
        fputc(n > 1 ? digit[v >> 6 & 63] : '=', o);
        fputc(n > 2 ? digit[v & 63] : '=', o);
    }
    fputc('"', o);
}

static void write_launch(FILE *o, const view_recording *r, const view_launch *launches, uint32_t count, files *f)
{
    char where[320];
    int line, file = -1;
    snprintf(where, sizeof where, "%s:%d", r->file, r->line);
    if (*r->file)
        file = file_of(f, where, &line);
    fprintf(o, "\"launch\":{\"number\":%u,\"kernel\":", r->number);
    check_json_string(o, r->kernel);
    fprintf(o, ",\"grid\":");
    triple(o, r->grid);
    fprintf(o, ",\"block\":");
    triple(o, r->block);
    fprintf(o, ",\"static\":%zu,\"dynamic\":%zu,\"file\":%d,\"line\":%d},\n\"launches\":[", r->static_smem,
            r->dynamic_smem, file, r->line);
    for (uint32_t i = 0; i < count && i < 1000; i++) {
        fprintf(o, "%s[", i ? "," : "");
        check_json_string(o, launches[i].kernel);
        fputc(',', o);
        triple(o, launches[i].grid);
        fputc(',', o);
        triple(o, launches[i].block);
        fprintf(o, ",%d]", launches[i].findings);
    }
    fprintf(o, "],\n\"parameters\":[");
    for (int i = 0; i < r->parameter_count; i++) {
        const view_parameter *p = &r->parameters[i];
        fprintf(o, "%s[", i ? "," : "");
        check_json_string(o, p->name);
        fputc(',', o);
        check_json_string(o, p->type);
        if (p->known)
            fprintf(o, ",%lld]", (long long)p->value);
        else {
            fprintf(o, ",null,[");
            for (int k = 0; k < p->words; k++)
                fprintf(o, "%s%llu", k ? "," : "", p->word[k] < (uint64_t)1 << 53 ? (unsigned long long)p->word[k] : 0);
            fprintf(o, "]]");
        }
    }
    fprintf(o, "],\n");
}

static void write_places(FILE *o, const view_recording *r, files *f)
{
    static const char *const kinds[] = {"load", "store", "atomic"}, *const memories[] = {"global", "shared",
                                                                                         "constant"};
    fprintf(o, "\"places\":[");
    for (int i = 0; i < r->place_count; i++) {
        int line, file = place(f, r->places[i], &line);
        fprintf(o, "%s[%d,%d]", i ? "," : "", file, line);
    }
    fprintf(o, "],\n\"sites\":[");
    for (int i = 0; i < r->site_count; i++) {
        const view_site *s = &r->sites[i];
        const sums *c = &s->total;
        int line, file = place(f, s->line, &line);
        fprintf(
            o,
            "%s\n{\"file\":%d,\"line\":%d,\"kind\":\"%s\",\"memory\":\"%s\",\"bytes\":%u,\"async\":\"%s\",\"sums\":[%"
            "llu,%llu,%llu,%llu,"
            "%llu,%llu,%llu]}",
            i ? "," : "", file, line, kinds[s->kind], memories[s->memory], s->bytes, async_part(s),
            (unsigned long long)c->requests, (unsigned long long)c->sectors, (unsigned long long)c->ideal,
            (unsigned long long)c->lanes, (unsigned long long)c->instructions, (unsigned long long)c->wavefronts,
            (unsigned long long)c->conflicts);
    }
    fprintf(o, "],\n\"arrays\":[");
    char said[SAID];
    for (int i = 0; i < r->array_count; i++) {
        const view_array *a = &r->arrays[i];
        fprintf(o, "%s{\"name\":", i ? "," : "");
        check_json_string(o, a->name);
        fprintf(o, ",\"about\":");
        check_json_string(o, check_say_text(a->about, said, sizeof said));
        fprintf(o, ",\"memory\":\"%s\",\"base\":%llu,\"bytes\":%zu}", memories[a->memory], (unsigned long long)a->base,
                a->bytes);
    }
    fprintf(o, "],\n\"rows\":");
    check_json_string(o, r->rows ? r->rows : "");
    fprintf(o, ",\n");
}

/* What the page says of a finding, in Chinese. */
static void write_in_chinese(FILE *o, const check_finding *f)
{
    const char *const texts[] = {f->title, f->at.what, f->has_other ? f->other.what : "", f->cause ? f->cause : ""};
    char said[SAID];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fputc(i ? ',' : '[', o);
        check_json_string(o, check_say_text(texts[i], said, sizeof said));
    }
    fputc(']', o);
}

static void write_findings(FILE *o, const view_recording *r)
{
    fprintf(o, "\"findings\":[");
    for (int i = 0; i < r->finding_count; i++) {
        fputs(i ? "," : "", o);
        check_json_finding(o, check_finding_at(r->findings[i]));
    }
    fprintf(o, "],\n\"chinese\":[");
    for (int i = 0; i < r->finding_count && check_in_chinese(); i++) {
        fputs(i ? "," : "", o);
        write_in_chinese(o, &check_finding_at(r->findings[i])->f);
    }
    fprintf(o, "],\n");
}

static void write_blocks(FILE *o, const view_recording *r)
{
    fprintf(o, "\"blocks\":[");
    for (int i = 0; i < r->block_count; i++) {
        const view_block *b = &r->blocks[i];
        fprintf(o, "%s\n{\"block\":", i ? "," : "");
        triple(o, b->block);
        fprintf(o, ",\"threads\":%u,\"steps\":%u,\"barriers\":%u,\"left\":%llu,\"marks\":[", b->threads, b->steps,
                b->barriers, (unsigned long long)b->left_out);
        for (int k = 0; k < b->mark_count; k++) {
            int finding = 0;
            while (finding < r->finding_count && r->findings[finding] != b->marks[k].finding)
                finding++;
            fprintf(o, "%s[%d,%ld,%ld]", k ? "," : "", finding, b->marks[k].at, b->marks[k].other);
        }
        fprintf(o, "],\"code\":");
        base64(o, &b->code);
        fputc('}', o);
    }
    fprintf(o, "]");
}

void view_write_data(FILE *o, const view_recording *r, const view_launch *launches, uint32_t count)
{
    extern char *program_invocation_name;
    files f = {.count = 0};
    fprintf(o, "{\"program\":");
    check_json_string(o, program_invocation_name);
    fprintf(o, ",\n");
    write_launch(o, r, launches, count, &f);
    write_places(o, r, &f);
    write_findings(o, r);
    write_blocks(o, r);
    fprintf(o, ",\n\"files\":[");
    for (int i = 0; i < f.count; i++) {
        fprintf(o, "%s{\"name\":", i ? "," : "");
        check_json_string(o, f.name[i]);
        fprintf(o, ",\"text\":");
        text_of(o, f.name[i]);
        fputc('}', o);
    }
    fprintf(o, "]}");
}

void view_write_script(FILE *o)
{
    fprintf(o, "\"use strict\";\n%s%s", check_in_chinese() ? chinese : "const CHINESE = null;\n", view_script);
}

void view_write(FILE *o, const view_recording *r, const view_launch *launches, uint32_t count)
{
    static const char data_mark[] = "VIEW_DATA", script_mark[] = "VIEW_SCRIPT";
    const char *data = strstr(markup, data_mark), *scripts = strstr(markup, script_mark);
    fwrite(markup, 1, (size_t)(data - markup), o);
    view_write_data(o, r, launches, count);
    data += sizeof data_mark - 1;
    fwrite(data, 1, (size_t)(scripts - data), o);
    view_write_script(o);
    fputs(page_script, o);
    fputs(scripts + sizeof script_mark - 1, o);
}
