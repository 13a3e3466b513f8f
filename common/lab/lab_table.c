/* lab_table.c: a ladder's tables. On a GPU: times, and what they are of the ceilings. On the CPU device: what is exact
 * and shows the lesson, then what an H200 took, and last, dim, this CPU's time, which says nothing of a GPU.
 * Under the model of a chip: the model's times. */
#include "lab_rows.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "table.h"

static void print_title(const Ladder *l, const LabRecorded *recorded)
{
    const LabOptions *o = lab_options();
    printf("%s    %s = %s, %s%s", lab_brief() ? "" : "\n", l->lab->dims, l->size, lab_type_name(l->type),
           o->verify_only ? ""
           : o->sustained ? ", sustained (3 s of warm-up, back to back, L2 warm)"
           : o->burst     ? ", burst (cold, after an idle second)"
                          : "");
    if (recorded->count)
        printf("%sH200: %s, from %s", lab_columns() < LAB_COLUMNS ? "\n    " : "; ", recorded->size, recorded->file);
    putchar('\n');
}

static void table_verified(const Ladder *l)
{
    Table *t = table_new(">rung|idea|check");
    for (int i = 0; i < l->rows; i++) {
        const Row *r = &l->row[i];
        table_cell(t, "%d", r->rung->number);
        table_cell(t, "%s", r->rung->name);
        table_cell(t, "%s: %s", ladder_check_word(r), r->why);
    }
    table_print(t, stdout, 4);
    table_free(t);
}

static int not_run(const Row *r) { return r->verdict == LAB_SKIPPED || r->verdict == LAB_REFUSED; }

/* What is to be said of a rung's check where not all is well: "ok" needs no column. */
static void cell_check(Table *t, const Row *r)
{
    if (ladder_is_timed(r) || not_run(r))
        table_cell(t, "%s", "");
    else
        table_cell(t, "%s: %s", ladder_check_word(r), r->why);
}

/* A ratio is that of the two times that are printed. */
static void table_timed(const Ladder *l)
{
    Table *t = table_new(">rung|idea|>time|>IQR|>GB/s|>of copy|>TFLOP/s|>vs vendor|>vs rung before|check");
    for (int i = 0; i < l->rows; i++) {
        const Row *r = &l->row[i], *b = ladder_before(l, r);
        char ms[32];
        if (not_run(r))
            continue;
        table_cell(t, "%d", r->rung->number);
        table_cell(t, "%s", r->rung->name);
        if (ladder_is_timed(r)) {
            table_cell(t, "%s", format_ms(r->ms.median, ms));
            table_cell(t, "%.1f%%", 100 * (r->ms.q3 - r->ms.q1) / r->ms.median);
            table_cell(t, l->bytes > 0 && !l->by_flops ? "%.4g" : "", ladder_rate(l, r));
            table_cell(t, l->copy.runs && !l->by_flops ? "%.2f" : "", ladder_of_copy(l, r));
            table_cell(t, l->by_flops ? "%.4g" : "", ladder_rate(l, r));
            table_cell(t, l->vendor && l->vendor != r ? "%.3f" : "",
                       l->vendor ? l->vendor->ms.median / r->ms.median : 0);
            table_cell(t, b ? "%.2fx" : "", b ? b->ms.median / r->ms.median : 0);
        } else {
            for (int k = 0; k < 7; k++)
                table_cell(t, "%s", "");
        }
        cell_check(t, r);
    }
    table_print(t, stdout, 4);
    table_free(t);
}

/* 1234567 as "1.23M". */
static void cell_count(Table *t, double n)
{
    if (n < 1e4)
        table_cell(t, "%.0f", n);
    else
        table_cell(t, n < 1e6 ? "%.3gk" : n < 1e9 ? "%.3gM" : "%.3gG", n / (n < 1e6 ? 1e3 : n < 1e9 ? 1e6 : 1e9));
}

/* Sectors a request, and in brackets the fewest that the bytes could lie in, where that is less. */
static void cell_sectors(Table *t, double requests, double sectors, double ideal)
{
    if (requests == 0)
        table_cell(t, "%s", "");
    else if (sectors > 1.005 * ideal)
        table_cell(t, "%.3g (%.3g)", sectors / requests, ideal / requests);
    else
        table_cell(t, "%.3g", sectors / requests);
}

static void cell_if(Table *t, int there, double n)
{
    if (there)
        cell_count(t, n);
    else
        table_cell(t, "%s", "");
}

/* The columns of table_counted(). */
enum { REQUESTS = 2, LOADS, STORES, MOVED, TMA, TENSOR, FMA, CONFLICTS, BARRIERS, VS_BEFORE = 12, THIS_CPU = 14 };
enum { COUNTED = BARRIERS - REQUESTS + 1 };

static void cells_counted(Table *t, const Ladder *l, const Row *r)
{
    const LabCounts *k = &r->counts;
    if (!r->counted) {
        for (int i = 0; i < COUNTED; i++)
            table_cell(t, "%s", "");
        return;
    }
    const double tma = k->tma_load_bytes + k->tma_store_bytes;
    cell_count(t, k->load_requests + k->store_requests);
    cell_sectors(t, k->load_requests, k->load_sectors, k->load_ideal);
    cell_sectors(t, k->store_requests, k->store_sectors, k->store_ideal);
    table_cell(t, l->bytes > 0 ? "%.3gx" : "",
               (32 * (k->load_sectors + k->store_sectors + k->atomic_sectors) + tma) / l->bytes);
    cell_if(t, tma > 0, tma);
    cell_if(t, k->tensor_instructions > 0, k->tensor_instructions);
    cell_if(t, k->tensor_instructions > 0, k->multiply_adds / k->tensor_instructions);
    cell_if(t, k->shared_requests > 0, k->bank_conflicts);
    cell_if(t, k->barriers > 0, k->barriers);
}

enum { INDENT = 4 };

/* Is there a row whose cell says more than "nothing is wasted here"? Conflicts: one that is not 0; sectors: one with
 * brackets. */
static int has_news(const Table *t, int column)
{
    for (int i = 1; i < table_rows(t); i++) {
        const char *cell = table_at(t, i, column);
        if (column == CONFLICTS ? *cell && strcmp(cell, "0") != 0 : strchr(cell, '(') != NULL)
            return 1;
    }
    return 0;
}

/* Leaves columns out until the table fits the terminal: first those in which there is nothing to see. */
static void fit(Table *t)
{
    static const struct {
        int column, if_no_news;
    } order[] = {{CONFLICTS, 1}, {STORES, 1}, {THIS_CPU, 0}, {LOADS, 1},  {BARRIERS, 0},
                 {REQUESTS, 0},  {FMA, 0},    {MOVED, 0},    {TENSOR, 0}, {VS_BEFORE, 0}};
    for (int i = 0; i < LAB_COUNT(order) && table_width(t) + INDENT > lab_columns(); i++)
        if (!order[i].if_no_news || !has_news(t, order[i].column))
            table_hide(t, order[i].column);
}

static void table_counted(const Ladder *l)
{
    Table *t = table_new(">rung|idea|>requests|>sect/load|>sect/store|>moved|>TMA bytes|>tensor|>FMA each|>conflicts|"
                         ">barriers|>H200|>vs before|check|~>this CPU");
    double last_ms = 0;
    char ms[32];
    for (int i = 0; i < l->rows; i++) {
        const Row *r = &l->row[i];
        if (not_run(r) && r->recorded_ms == 0)
            continue;
        table_cell(t, "%d", r->rung->number);
        table_cell(t, "%s", r->rung->name);
        cells_counted(t, l, r);
        table_cell(t, "%s", r->recorded_ms > 0 ? format_ms(r->recorded_ms, ms) : "");
        int ratio = r->recorded_ms > 0 && last_ms > 0 && !(r->rung->flags & LAB_VENDOR);
        table_cell(t, ratio ? "%.2fx" : "", ratio ? last_ms / r->recorded_ms : 0);
        if (r->recorded_ms > 0 && !(r->rung->flags & LAB_VENDOR))
            last_ms = r->recorded_ms;
        cell_check(t, r);
        table_cell(t, "%s", ladder_is_timed(r) ? format_ms(r->ms.median, ms) : "");
    }
    if (!lab_options()->wide)
        fit(t);
    table_print(t, stdout, INDENT);
    table_free(t);
}

/* The model's time of each rung, and beside it, in a column of its own, what was recorded of this chip at this very
 * shape. The ratios are the model's. */
static void table_modelled(const Ladder *l, int recorded)
{
    Table *t = table_new(">rung|idea|>model|>range|what limits|>vs before|>recorded|check");
    double last_ms = 0;
    char ms[32], low[32], high[32];
    for (int i = 0; i < l->rows; i++) {
        const Row *r = &l->row[i];
        const LabModelled *m = &r->modelled;
        const int known = ladder_is_modelled(r), ranged = known && m->ranged;
        const int in_ladder = known && !(r->rung->flags & LAB_VENDOR);
        const double before = in_ladder ? last_ms / m->ms : 0;
        if (not_run(r))
            continue;
        table_cell(t, "%d", r->rung->number);
        table_cell(t, "%s", r->rung->name);
        table_cell(t, "%s", known ? format_ms(m->ms, ms) : "");
        table_cell(t, ranged ? "%s to %s" : "%s%s", ranged ? format_ms(m->low_ms, low) : "",
                   ranged ? format_ms(m->high_ms, high) : "");
        table_cell(t, "%s", known ? m->limiter : *m->why_not ? m->why_not : "it launches nothing");
        table_cell(t, before > 0 ? "%.2fx" : "", before);
        table_cell(t, "%s", recorded && r->recorded_ms > 0 ? format_ms(r->recorded_ms, ms) : "");
        if (r->verdict == LAB_PASS)
            table_cell(t, "%s", "");
        else
            table_cell(t, "%s: %s", ladder_check_word(r), r->why);
        if (in_ladder)
            last_ms = m->ms;
    }
    table_print(t, stdout, INDENT);
    table_free(t);
}

/* What did not run here: one line in all, "not run here: 8, 9 (needs a Hopper GPU); 10 (...)". */
static void print_skipped(const Ladder *l)
{
    char *told = calloc((size_t)l->rows + 1, 1);
    int some = 0;
    for (int i = 0; i < l->rows; i++) {
        if (lab_brief() && l->row[i].recorded_ms > 0)
            continue; /* it has a row, without this CPU's time */
        if (!not_run(&l->row[i]) || told[i])
            continue;
        printf("%s", some++ ? "; " : "    not run here: ");
        for (int k = i; k < l->rows; k++)
            if (not_run(&l->row[k]) && strcmp(l->row[k].why, l->row[i].why) == 0) {
                printf("%s%d", k == i ? "" : ", ", l->row[k].rung->number);
                told[k] = 1;
            }
        printf(" (%s)", l->row[i].why);
    }
    if (some)
        putchar('\n');
    free(told);
}

/* An exercise: one line a shape says it all. */
static void print_exercise(const Ladder *l)
{
    static int begun;
    printf("%s    %s = %-12s %s: %s\n", begun++ ? "" : "\n", l->lab->dims, l->size, ladder_check_word(&l->row[0]),
           l->row[0].why);
}

static void look_up(Ladder *l, LabRecorded *recorded)
{
    lab_recorded(l->lab, l->type, l->size, recorded);
    for (int i = 0; i < l->rows; i++) {
        Row *r = &l->row[i];
        r->recorded_ms = lab_recorded_ms(recorded, r->rung->name);
        r->counted = lab_counts(lab_options()->counts, r->rung->number, l->type, l->size, &r->counts) == 0;
    }
}

/* The chip of the model; "": none runs. */
static const char *modelled_chip(const Ladder *l)
{
    for (int i = 0; i < l->rows; i++)
        if (*l->row[i].modelled.chip)
            return l->row[i].modelled.chip;
    return "";
}

/* Records are of an H200, and only those of this shape stand beside a model's time. */
static void print_modelled(Ladder *l, const char *chip)
{
    int recorded = 0;
    if (strcmp(chip, "h200") == 0) {
        look_up(l, &l->recorded);
        recorded = strcmp(l->recorded.size, l->size) == 0;
    }
    printf("%s    %s = %s, %s, by the model of the chip %s%s%s%s\n", lab_brief() ? "" : "\n", l->lab->dims, l->size,
           lab_type_name(l->type), chip, recorded ? "; recorded on an H200: " : "", recorded ? l->recorded.file : "",
           recorded || strcmp(chip, "h200") != 0 ? "" : "; no record of this shape");
    table_modelled(l, recorded);
    print_skipped(l);
}

void ladder_print(Ladder *l)
{
    const LabOptions *o = lab_options();
    const char *chip = modelled_chip(l);
    if (*chip && l->lab->rung_count > 1) {
        print_modelled(l, chip);
        return;
    }
    if (o->verify_only && l->lab->rung_count == 1) {
        print_exercise(l);
        return;
    }
    if (!o->verify_only && device_is_cpu())
        look_up(l, &l->recorded);
    print_title(l, &l->recorded);
    if (o->verify_only)
        table_verified(l);
    else if (device_is_cpu())
        table_counted(l);
    else
        table_timed(l);
    if (!o->verify_only)
        print_skipped(l);
}
