/* listing_print.c: prints kernels, whole or the loop that was asked for, each instruction under its source line. */
#include "../say.h"
#include "listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of a kernel that is shown: its items from `from` to before `to`. */
typedef struct Range {
    int from, to;
} Range;

/* An instruction's opcode, without the predicate before it; *length is its length. */
static const char *opcode(const char *instruction, int *length)
{
    if (*instruction == '@' && strchr(instruction, ' '))
        instruction = strchr(instruction, ' ') + 1;
    *length = (int)strcspn(instruction, " ");
    return instruction;
}

static int same_opcode(const Item *a, const Item *b)
{
    int n, m;
    const char *p = opcode(a->text, &n), *q = opcode(b->text, &m);
    return n == m && strncmp(p, q, (size_t)n) == 0;
}

/* The whole kernel, without what pads it after its end. */
static Range whole(const Kernel *k)
{
    const Item *items = k->items;
    int n = k->count;
    while (n > 0 && (items[n - 1].kind != ITEM_CODE || starts_with(items[n - 1].text, "NOP")))
        n--;
    /* a jump to itself */
    if (n > 1 && starts_with(items[n - 1].text, "BRA") && items[n - 2].kind == ITEM_LABEL &&
        strstr(items[n - 1].text, items[n - 2].text))
        n -= 2;
    while (n > 0 && items[n - 1].kind == ITEM_LABEL)
        n--;
    return (Range){0, n};
}

/* Where the label is that an instruction before `i` jumps back to, or -1. */
static int jumps_back_to(const Kernel *k, int i)
{
    const char *instruction = k->items[i].text, *label = strstr(instruction, ".L_x_");
    if (k->items[i].kind != ITEM_CODE || !label || !(strstr(instruction, "BRA.") || strstr(instruction, "BRA ")))
        return -1;
    size_t length = 5 + strspn(label + 5, "0123456789");
    for (int j = i - 1; j >= 0; j--)
        if (k->items[j].kind == ITEM_LABEL && strlen(k->items[j].text) == length &&
            strncmp(k->items[j].text, label, length) == 0)
            return j;
    return -1;
}

/* Finds the innermost loop in which the largest share of the instructions is `wanted`. 0 if no loop has one. */
static int find_loop(const Kernel *k, Range all, const char *wanted, Range *loop)
{
    double best = 0;
    for (int i = all.from; i < all.to; i++) {
        int begin = jumps_back_to(k, i), count = 0, of_it = 0;
        if (begin < 0)
            continue;
        for (int j = begin; j <= i; j++)
            if (k->items[j].kind == ITEM_CODE)
                count++, of_it += strstr(k->items[j].text, wanted) != NULL;
        if (of_it && (double)of_it / count > best)
            best = (double)of_it / count, *loop = (Range){begin, i + 1};
    }
    return best > 0;
}

typedef struct Tally {
    char *opcode;
    int count;
} Tally;

static int by_count(const void *a, const void *b)
{
    const Tally *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : strcmp(x->opcode, y->opcode);
}

/* Prints how many there are of each instruction, the most frequent first. */
static void print_census(const Kernel *k, Range r)
{
    Tally *tallies = calloc((size_t)(r.to - r.from) + 1, sizeof *tallies);
    int count = 0;
    for (int i = r.from; i < r.to && tallies; i++) {
        int length, t = 0;
        if (k->items[i].kind != ITEM_CODE)
            continue;
        const char *op = opcode(k->items[i].text, &length);
        char *name = text("%.*s", (int)strcspn(op, ". "), op);
        while (t < count && strcmp(tallies[t].opcode, name) != 0)
            t++;
        if (t == count)
            tallies[count++].opcode = copy(name);
        tallies[t].count++;
        free(name);
    }
    if (count)
        qsort(tallies, (size_t)count, sizeof *tallies, by_count);
    say("  in the loop: ");
    for (int t = 0; t < count; t++) {
        printf("%s%d %s", t ? ", " : "", tallies[t].count, tallies[t].opcode);
        free(tallies[t].opcode);
    }
    puts("");
    free(tallies);
}

/* Prints the number before `unit` in [from, to), if there is one, with `before` and `after` round it. */
static void print_number(const char *from, const char *to, const char *unit, const char *before, const char *after)
{
    const char *at = strstr(from, unit);
    if (!at || at >= to)
        return;
    const char *digits = at;
    while (digits > from && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    if (digits < at && strtol(digits, NULL, 10) != 0)
        say("%s%.*s%s", before, (int)(at - digits), digits, after);
}

/* Prints ": 40 registers, 8 bytes spilled, 4096 bytes smem", as ptxas said it of the kernel; nothing if it said nothing. */
static void print_usage(const char *said, const char *id)
{
    char *entry = text("entry function '%s'", id);
    const char *p = strstr(said, entry), *next = p ? strstr(p + 1, "entry function '") : NULL;
    free(entry);
    if (!p)
        return;
    if (!next)
        next = p + strlen(p);
    print_number(p, next, " registers", ": ", " registers");
    print_number(p, next, " bytes spill stores", ", ", " bytes spilled");
    print_number(p, next, " bytes smem", ", ", " bytes smem");
}

static void print_instruction(const Listing *l, const Item *item)
{
    if (item->kind != ITEM_CODE)
        return;
    char *meaning = listing_meaning(l, item->text), *said = meaning ? say_words(meaning) : NULL;
    if (said)
        printf("      %-52s ; %s\n", item->text, said);
    else
        printf("      %s\n", item->text);
    free(meaning), free(said);
}

/* The end of the run of one instruction that begins at `i`: its last. */
static int run_end(const Kernel *k, Range r, int i)
{
    int last = i;
    for (int j = i + 1; j < r.to; j++) {
        if (k->items[j].kind == ITEM_LINE)
            continue;
        if (!same_opcode(&k->items[j], &k->items[i]))
            break;
        last = j;
    }
    return last;
}

static void print_items(const Listing *l, const Kernel *k, Range r)
{
    enum { LONG_RUN = 6 };
    for (int i = r.from; i < r.to; i++) {
        const Item *item = &k->items[i];
        if (item->kind == ITEM_LINE) {
            if (i + 1 < r.to && k->items[i + 1].kind != ITEM_LINE)
                printf("  | %-80.80s %s\n", item->text, item->place);
            continue;
        }
        if (item->kind == ITEM_LABEL) {
            printf("%s:\n", item->text);
            continue;
        }
        print_instruction(l, item);
        int last = run_end(k, r, i), left_out = 0;
        if (!l->fold || last - i < LONG_RUN)
            continue;
        print_instruction(l, &k->items[i + 1]);
        for (int j = i + 2; j < last; j++)
            left_out += k->items[j].kind == ITEM_CODE;
        say("      ... %d more of them\n", left_out);
        print_instruction(l, &k->items[last]);
        i = last;
    }
}

int listing_print(const Listing *l, Kernel *kernels, int count)
{
    int shown = 0, status = 0;
    for (int i = 0; i < count; i++) {
        Kernel *k = &kernels[i];
        Range r = whole(k);
        if (!k->count)
            continue;
        if (l->loop && !find_loop(k, r, l->loop, &r)) {
            if (l->wanted.count) {
                fprintf(stderr, "listing: %s has no loop with %s\n", k->name, l->loop);
                shown++, status = 1;
            }
            continue;
        }
        printf("%s%s", shown++ ? "\n" : "", k->name);
        print_usage(l->said, k->id);
        puts("");
        if (l->loop)
            print_census(k, r);
        print_items(l, k, r);
    }
    if (!shown)
        die(1, "listing: no kernel of that name");
    return status;
}
