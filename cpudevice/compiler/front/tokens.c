/* tokens.c: text to tokens. Line markers and pragmas are tokens; white space and comments are kept as
 * the lead of the token that follows, so that printing all tokens gives the text back byte for byte. `<` and `>` are
 * always tokens of one character: whether two are a shift, a launch or the end of two templates is the parser's to say.
 */
#define _DEFAULT_SOURCE /* madvise() */
#include "front/system_header.h"
#include "front/unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static bool ident_start(int c) { return isalpha(c) || c == '_' || c == '$' || c >= 0x80; }

/* c: an unsigned char */
static bool ident_part(int c)
{
    static bool part[256], known;
    for (int i = 0; !known && i < 256; i++)
        part[i] = ident_start(i) || isdigit(i);
    known = true;
    return part[c];
}

static const char *end_of_quoted(const char *p, const char *end)
{
    char quote = *p++;
    while (p < end && *p != quote && *p != '\n')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p < end && *p == quote ? p + 1 : p;
}

/* R"tag( ... )tag", p at the quote */
static const char *end_of_raw(const char *p, const char *end)
{
    const char *tag = p + 1, *open = tag;
    while (open < end && *open != '(' && *open != '\n' && open - tag <= 16)
        open++;
    if (open >= end || *open != '(')
        return end_of_quoted(p, end);
    size_t n = (size_t)(open - tag);
    for (const char *q = open + 1; q + n + 1 < end; q++)
        if (*q == ')' && !memcmp(q + 1, tag, n) && q[n + 1] == '"')
            return q + n + 2;
    return end;
}

/* What a file name says of the text that follows. */
typedef struct Place {
    const char *file;
    bool sys, library, ours, header;
    const char *headers; /* the folder of cucc's headers, with its slash: that of the first cuda_runtime.h */
    size_t headers_len;
} Place;

/* Is the file one of cucc's headers, whichever way the program names their folder? */
static bool cucc_header(const Place *at)
{
    struct stat headers, folder;
    if (!at->headers)
        return false;
    if (!strncmp(at->file, at->headers, at->headers_len))
        return true;
    const char *slash = strrchr(at->file, '/');
    if (at->sys || !slash)
        return false;
    char *path = format("%.*s", (int)(slash + 1 - at->file), at->file);
    char *own = format("%.*s", (int)at->headers_len, at->headers);
    const bool same_folder = !stat(path, &folder) && !stat(own, &headers) && folder.st_dev == headers.st_dev &&
                             folder.st_ino == headers.st_ino;
    free(path);
    free(own);
    return same_folder;
}

/* Of our own headers those that give CUDA's words: what is known of them is in words.c. Those of libraries are a
 * program's, and so is a program's own include/cuda_helpers.h. */
static bool our_header(Place *at)
{
    const char *slash = strrchr(at->file, '/'), *name = slash ? slash + 1 : at->file;
    if (!at->headers && slash && !strcmp(name, "cuda_runtime.h"))
        at->headers = at->file, at->headers_len = (size_t)(name - at->file);
    at->header = cucc_header(at);
    if (!at->header || !slash)
        return false;
    return !strncmp(name, "cpudev_", 7) || !strncmp(name, "cuda_", 5) || !strncmp(name, "vector_", 7) ||
           !strcmp(name, "driver_types.h");
}

/* `# 12 "file.cu" 1 3` and `#line 12 "file.cu"`; false if it is another directive */
static bool line_marker(const char *p, const char *eol, int *line, Place *at)
{
    p++;
    while (p < eol && (*p == ' ' || *p == '\t'))
        p++;
    if (eol - p > 4 && !memcmp(p, "line", 4)) {
        p += 4;
        while (p < eol && *p == ' ')
            p++;
    }
    if (p >= eol || !isdigit((unsigned char)*p))
        return false;
    long n = 0;
    while (p < eol && isdigit((unsigned char)*p) && n < 100000000)
        n = n * 10 + (*p++ - '0');
    *line = (int)n;
    while (p < eol && *p == ' ')
        p++;
    if (p < eol && *p == '"') {
        const char *e = end_of_quoted(p, eol);
        int len = (int)(e - p) - 2;
        if (len >= 0)
            at->file = intern(p + 1, len);
        const bool flagged = memchr(e, '3', (size_t)(eol - e)) != NULL;
        at->sys = flagged && system_header(at->file);
        at->ours = our_header(at);
        at->library = flagged && !at->sys && !at->header;
    }
    return true;
}

/* In huge pages where there are: 5,000 page faults took as long as reading the tokens. */
void reserve(Tokens *t, int n)
{
    enum { HUGE_PAGE = 2 << 20 };
    const size_t size = ((size_t)n * sizeof *t->t + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    t->cap = n;
    t->t = must(aligned_alloc(HUGE_PAGE, size));
    madvise(t->t, size, MADV_HUGEPAGE);
}

void push(Tokens *t, Token one)
{
    if (t->n + 2 > t->cap) {
        t->cap = t->cap ? t->cap * 2 : 1 << 10;
        t->t = must(realloc(t->t, (size_t)t->cap * sizeof *t->t));
    }
    t->t[t->n++] = one;
}

static const char *end_of_comment(const char *p, const char *end, int *line)
{
    if (p[1] == '/') {
        while (p < end && *p != '\n')
            p++;
        return p;
    }
    for (p += 2; p < end; p++) {
        *line += *p == '\n';
        if (*p == '*' && p + 1 < end && p[1] == '/')
            return p + 2;
    }
    return p;
}

static const char *end_of_number(const char *p, const char *end)
{
    for (p++; p < end; p++) {
        int d = (unsigned char)*p;
        if ((d == '+' || d == '-') && strchr("eEpP", p[-1]))
            continue;
        if (d == '\'' && p + 1 < end && ident_part((unsigned char)p[1]))
            continue;
        if (!ident_part(d) && d != '.')
            break;
    }
    return p;
}

/* An identifier, or a string with a prefix; its end. */
static const char *end_of_word(Token *t, const char *p, const char *end)
{
    static const char *const prefix[] = {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"};
    t->kind = T_ID;
    while (p < end && ident_part((unsigned char)*p))
        p++;
    size_t n = (size_t)(p - t->s);
    if (p < end && (*p == '"' || *p == '\'') && n <= 3)
        for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
            if (strlen(prefix[i]) == n && !memcmp(prefix[i], t->s, n)) {
                t->kind = T_STR;
                return *p == '"' && p[-1] == 'R' ? end_of_raw(p, end) : end_of_quoted(p, end);
            }
    return p;
}

static const char *end_of_punctuation(const char *p, const char *end)
{
    static const char *const two[] = {
        "::", "->", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!="};
    const bool may_be = p + 1 < end && (p[1] == *p || p[1] == '=' || p[1] == '>');
    for (size_t i = 0; may_be && i < sizeof two / sizeof *two; i++)
        if (p[0] == two[i][0] && p[1] == two[i][1])
            return p + 2;
    return p + 1;
}

/* ---- words ---- */

static const char *const word_text[WORDS] = {
    "",
#define WORD(name, text) text,
#include "front/word_list.h"
#undef WORD
};

enum { WORD_SLOTS = 1024, LONGEST_WORD = 32 };

typedef struct WordTable {
    Word slot[WORD_SLOTS]; /* by hash; what does not fit is in the next one that is free */
    bool filled;
} WordTable;

static unsigned word_hash(const char *s, int len)
{
    unsigned h = (unsigned)len;
    for (int i = 0; i < len; i++)
        h = h * 31 + (unsigned char)s[i];
    return (h ^ h >> 10) % WORD_SLOTS;
}

static void fill(WordTable *w)
{
    for (int i = 1; i < WORDS; i++) {
        unsigned h = word_hash(word_text[i], (int)strlen(word_text[i]));
        while (w->slot[h])
            h = (h + 1) % WORD_SLOTS;
        w->slot[h] = (Word)i;
    }
    w->filled = true;
}

static Word find_word(const char *s, int len)
{
    static WordTable words;
    if (!words.filled)
        fill(&words);
    if (len > LONGEST_WORD)
        return W_NONE;
    for (unsigned h = word_hash(s, len); words.slot[h]; h = (h + 1) % WORD_SLOTS) {
        const char *text = word_text[words.slot[h]];
        if (!strncmp(text, s, (size_t)len) && !text[len])
            return words.slot[h];
    }
    return W_NONE;
}

void tokenize(Tokens *out, const char *p, const char *end)
{
    int line = 1;
    const char *lead = p;
    Place at = {0};
    bool bol = true;
    while (p < end) {
        int c = (unsigned char)*p;
        if (isspace(c)) {
            if (c == '\n') {
                line++;
                bol = true;
            }
            p++;
            continue;
        }
        if (c == '/' && p + 1 < end && (p[1] == '/' || p[1] == '*')) {
            p = end_of_comment(p, end, &line);
            continue;
        }
        Token t = {.s = p, .lead = lead, .line = line, .file = at.file, .mate = -1};
        t.sys = at.sys, t.library = at.library, t.ours = at.ours, t.header = at.header;
        if (c == '#' && bol) {
            const char *eol = memchr(p, '\n', (size_t)(end - p));
            int n;
            eol = eol ? eol : end;
            t.kind = T_PRAGMA;
            if (line_marker(p, eol, &n, &at)) {
                line = n - 1;
                t.kind = T_LINE;
            }
            p = eol;
        } else if (c == '"' || c == '\'') {
            t.kind = T_STR;
            p = end_of_quoted(p, end);
        } else if (ident_start(c)) {
            p = end_of_word(&t, p, end);
            for (const char *q = t.s; t.kind == T_STR && q < p; q++)
                line += *q == '\n';
        } else if (isdigit(c) || (c == '.' && p + 1 < end && isdigit((unsigned char)p[1]))) {
            t.kind = T_NUM;
            p = end_of_number(p, end);
        } else {
            t.kind = T_PUNCT;
            p = end_of_punctuation(p, end);
        }
        bol = false;
        t.len = (int)(p - t.s);
        if (t.kind <= T_PUNCT && t.kind != T_STR)
            t.word = find_word(t.s, t.len);
        push(out, t);
        lead = p;
    }
    push(out, (Token){.s = end, .lead = lead, .kind = T_END, .line = line, .file = at.file, .mate = -1});
}

/* Pairs the brackets, and records for each token the bracket that encloses it. Kinds are not compared: g++ reports
 * unbalanced text. */
void find_mates(Tokens *t)
{
    int *stack = must(malloc((size_t)(t->n + 1) * sizeof *stack)), depth = 0;
    for (int i = 0; i < t->n; i++) {
        Token *k = &t->t[i];
        k->mate = -1;
        k->outer = depth ? stack[depth - 1] : -1;
        if (k->kind != T_PUNCT || k->len != 1)
            continue;
        char c = *k->s;
        if (c == '(' || c == '[' || c == '{')
            stack[depth++] = i;
        else if ((c == ')' || c == ']' || c == '}') && depth) {
            k->mate = stack[--depth];
            t->t[k->mate].mate = i;
        }
    }
    free(stack);
}
