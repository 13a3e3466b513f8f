/* canonical_groups.c: cooperative groups' blocks in plainer words.
 *
 *   cg::sync(block), block.sync()   become   __syncthreads(), and what a block is asked for is computed, where `block`
 * is declared to be this_thread_block() or another such block. False if there is a group that is not known to be a
 * block: the kernel stays on fibers. Where lanes.c is to follow, so do tiles of a block that are part of a warp:
 *   tile.shfl_down(x, 4)            becomes  __shfl_down_sync(the tile's lanes, x, 4, 32) */
#include "front/declarator.h"
#include "kernel/canonical_form.h"
#include "analysis/analysis.h"
#include "analysis/rules.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Unit *u;
    Kernel *k;
    struct {
        Token name;
        bool wide; /* of the type thread_group, whose size has 64 bits */
        int tile;  /* so many threads of a block that lie together; 0: it is the block */
    } group[16];
    int n;
} Groups;

/* Does the program name cooperative_groups at i, before the word at `word`, or is it using them all?  The first of the
 * tokens that name the word, or -1. */
static int group_word(const Groups *g, int word)
{
    const Tokens *t = g->k->canonical.tok, *ut = &g->u->tok;
    int p = prev(t, word), q = prev(t, p);
    if (is(t, p, W_DOT) || is(t, p, W_ARROW))
        return -1;
    for (int i = 0; i < g->k->f->body; i++) {
        if (ut->t[i].kind != T_ID || ut->t[i].sys || !is(ut, i, W_COOPERATIVE_GROUPS))
            continue;
        int e = prev(ut, i), name = prev(ut, e);
        bool found;
        if (is(t, p, W_SCOPE))
            found = is(t, q, W_COOPERATIVE_GROUPS) ||
                    (is(ut, e, W_ASSIGN) && is(ut, next(ut, i), W_SEMICOLON) && ident(t, q) &&
                     same_as(ut, name, t->t[q].s, t->t[q].len) && is(ut, prev(ut, name), W_NAMESPACE));
        else if (is(ut, e, W_NAMESPACE))
            found = is(ut, prev(ut, e), W_USING);
        else
            found = is(ut, e, W_USING) && is(ut, next(ut, i), W_SCOPE) &&
                    same_as(ut, next(ut, next(ut, i)), t->t[word].s, t->t[word].len);
        if (found)
            return is(t, p, W_SCOPE) ? (is(t, prev(t, q), W_SCOPE) ? prev(t, q) : q) : word;
    }
    return -1;
}

/* this_thread_block() at i, with what names it: its last token, or -1 */
static int this_block(const Groups *g, int i)
{
    const Tokens *t = g->k->canonical.tok;
    while (ident(t, i) && is(t, next(t, i), W_SCOPE))
        i = next(t, next(t, i));
    bool known = is(t, i, W_THIS_THREAD_BLOCK) && is(t, next(t, i), W_PAREN) &&
                 is(t, next(t, next(t, i)), W_PAREN_END) && group_word(g, i) >= 0;
    return known && (is(t, prev(t, i), W_SCOPE) || function_named(g->u, t, i, -1) < 0) ? next(t, next(t, i)) : -1;
}

static int group_at(const Groups *g, int i)
{
    const Tokens *t = g->k->canonical.tok;
    if (!ident(t, i) || is(t, prev(t, i), W_DOT) || is(t, prev(t, i), W_ARROW) || is(t, prev(t, i), W_SCOPE))
        return -1;
    for (int k = 0; k < g->n; k++)
        if (same_as(t, i, g->group[k].name.s, g->group[k].name.len))
            return k;
    return -1;
}

static void say(Groups *g, int a, int b, char *text)
{
    Tokens w = {NULL, 0, 0};
    words_say(&w, &g->k->canonical.tok->t[a], text);
    replace_tokens(g->k->canonical.tok, a, b, &w);
}

#define THREAD "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"
#define THREADS "(blockDim.x * blockDim.y * blockDim.z)"

/* `<32>` at i: the number, if it is one that divides a warp; or 0. *end: its `>` */
static int tile_size(const Tokens *t, int i, int *end)
{
    *end = is(t, i, W_LESS) ? angle_forward(t, i) : -1;
    int number = next(t, i);
    long n = *end >= 0 && t->t[number].kind == T_NUM ? strtol(t->t[number].s, NULL, 10) : 0;
    return n >= 1 && n <= 32 && (n & (n - 1)) == 0 ? (int)n : 0;
}

/* `cg::tiled_partition<32>(block)` at i: its last token, or -1 */
static int partition(const Groups *g, int i, int *size)
{
    const Tokens *t = g->k->canonical.tok;
    int end;
    while (ident(t, i) && is(t, next(t, i), W_SCOPE))
        i = next(t, next(t, i));
    if (!is(t, i, W_TILED_PARTITION) || group_word(g, i) < 0 || (*size = tile_size(t, next(t, i), &end)) == 0 ||
        !is(t, next(t, end), W_PAREN))
        return -1;
    int block = next(t, next(t, end)), known = group_at(g, block);
    int last = known >= 0 ? block : this_block(g, block);
    return last >= 0 && (known < 0 || !g->group[known].tile) && is(t, next(t, last), W_PAREN_END) ? next(t, last) : -1;
}

/* `cg::thread_block b = cg::this_thread_block();` at *i goes, or the declaration of a tile; on to the token before what
 * follows it. */
static bool declaration(Groups *g, int *i)
{
    Tokens *t = g->k->canonical.tok;
    bool is_auto = is(t, *i, W_AUTO), is_tile = is(t, *i, W_THREAD_BLOCK_TILE);
    int s = is_auto ? *i : group_word(g, *i), type_end = *i, size = 0;
    int said = is_tile ? tile_size(t, next(t, *i), &type_end) : 0; /* the size that the type says */
    if (s < 0 || (is_tile && !said))
        return false;
    Declarator d;
    bool read = scan_declarator(t, next(t, type_end), declaration_end(t, type_end), &d);
    int name = d.name, value = d.init >= 0 && is(t, d.init, W_ASSIGN) ? next(t, d.init) : -1;
    if (!read || name < 0 || value < 0 || d.stars || d.dims || d.grouped)
        return is_auto; /* something else */
    if (is(t, prev(t, s), W_CONST))
        s = prev(t, s);
    int known = is(t, next(t, value), W_SEMICOLON) ? group_at(g, value) : -1;
    int end = known >= 0 ? value : this_block(g, value);
    if (known >= 0)
        size = g->group[known].tile;
    else if (end < 0 && g->k->lanes)
        end = partition(g, value, &size);
    if (end < 0 || !is(t, next(t, end), W_SEMICOLON))
        return is_auto;
    if (g->n == 16 || (size && d.is_ref) || (!is_auto && said != size))
        return false;
    g->group[g->n].wide = is(t, *i, W_THREAD_GROUP) || (is_auto && known >= 0 && g->group[known].wide);
    g->group[g->n].tile = size;
    g->group[g->n++].name = t->t[name];
    Tokens none = {NULL, 0, 0};
    replace_tokens(t, s, next(t, end) + 1, &none);
    *i = s - 1;
    return true;
}

static const struct {
    const char *name, *what;
} answers[] = {
    {"sync", "__syncthreads()"},
    {"thread_rank", THREAD},
    {"size", THREADS},
    {"num_threads", THREADS},
    {"group_index", "dim3(blockIdx.x, blockIdx.y, blockIdx.z)"},
    {"thread_index", "dim3(threadIdx.x, threadIdx.y, threadIdx.z)"},
    {"group_dim", "dim3(blockDim.x, blockDim.y, blockDim.z)"},
    {"dim_threads", "dim3(blockDim.x, blockDim.y, blockDim.z)"},
};

/* What a tile is asked for at i. */
static bool ask_tile(Groups *g, int i, int size)
{
    static const struct {
        const char *name, *first, *operation; /* first, then the operation with the tile's size */
    } tile_answers[] = {
        {"sync", "__syncwarp()", NULL}, {"thread_rank", THREAD, "%"},     {"size", "0u", "+"},
        {"num_threads", "0u", "+"},     {"meta_group_rank", THREAD, "/"},
    };
    Tokens *t = g->k->canonical.tok;
    int word = next(t, next(t, i)), open = next(t, word), close = is(t, open, W_PAREN) ? mate(t, open) : -1;
    if (!is(t, next(t, i), W_DOT) || close < 0)
        return false;
    for (size_t k = 0; k < sizeof tile_answers / sizeof *tile_answers; k++)
        if (same_as(t, word, tile_answers[k].name, (int)strlen(tile_answers[k].name)) && next(t, open) == close) {
            const char *operation = tile_answers[k].operation;
            say(g, i, close + 1,
                operation ? format("(%s %s %du)", tile_answers[k].first, operation, size)
                          : format("%s", tile_answers[k].first));
            return true;
        }
    if (t->t[word].len < 4 || strncmp(t->t[word].s, "shfl", 4))
        return false;
    char *name = format("__%.*s_sync", t->t[word].len, t->t[word].s);
    say(g, close, close, format(", %d", size));
    say(g, i, open + 1, format("%s(0xffffffffu >> %d << " THREAD " %% 32 / %d * %d, ", name, 32 - size, size, size));
    free(name);
    return true;
}

/* What a block is asked for at *i; false if that is not known. */
static bool question(Groups *g, int *i)
{
    Tokens *t = g->k->canonical.tok;
    int known = group_at(g, *i), first = *i, last = known >= 0 ? *i : -1;
    if (known >= 0 && g->group[known].tile)
        return ask_tile(g, *i, g->group[known].tile);
    bool wide = known >= 0 && g->group[known].wide;
    if (known < 0 && is(t, *i, W_THIS_THREAD_BLOCK)) {
        first = group_word(g, *i);
        last = this_block(g, *i);
        if (first < 0 || last < 0)
            return false;
    }
    if (is(t, *i, W_SYNC) && last < 0 && !is(t, prev(t, *i), W_DOT)) { /* cg::sync(group) */
        int arg = next(t, next(t, *i)), named = group_at(g, arg), group = named >= 0 ? arg : this_block(g, arg);
        first = group_word(g, *i);
        if (first < 0 || group < 0 || !is(t, next(t, *i), W_PAREN) || !is(t, next(t, group), W_PAREN_END) ||
            (first == *i && function_named(g->u, t, *i, -1) >= 0))
            return false;
        bool tile = named >= 0 && g->group[named].tile;
        say(g, first, next(t, group) + 1, format("%s", tile ? "__syncwarp()" : "__syncthreads()"));
        return true;
    }
    if (last < 0)
        return true;
    int word = next(t, next(t, last));
    const char *what = NULL;
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++)
        if (is(t, next(t, last), W_DOT) && same_as(t, word, answers[k].name, (int)strlen(answers[k].name)) &&
            is(t, next(t, word), W_PAREN) && is(t, next(t, next(t, word)), W_PAREN_END))
            what = answers[k].what;
    if (!what || (wide && (strchr("gd", *t->t[word].s) || is(t, word, W_THREAD_INDEX))))
        return false;
    say(g, first, next(t, next(t, word)) + 1,
        format("%s%s", wide && !is(t, word, W_SYNC) ? "(unsigned long long)" : "", what));
    *i = first;
    return true;
}

bool canonical_groups(Unit *u, Kernel *k)
{
    Groups g = {.u = u, .k = k};
    Tokens *t = k->canonical.tok;
    for (int i = next(t, k->canonical.body); i < t->n - 2; i = next(t, i)) {
        if (!ident(t, i))
            continue;
        if (is(t, i, W_THREAD_BLOCK) || is(t, i, W_THREAD_GROUP) || is(t, i, W_AUTO) ||
            (k->lanes && is(t, i, W_THREAD_BLOCK_TILE))) {
            if (!declaration(&g, &i))
                return false;
        } else if (!question(&g, &i))
            return false;
    }
    canonical_bounds(k);
    return true;
}
