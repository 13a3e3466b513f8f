/* profiler_tree.c: what the analysis fills in. See profiler_tree.h. */
#include "profiler_tree.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_bytes(const char *s, size_t n, uint64_t h)
{
    h ^= 1469598103934665603u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 1099511628211u;
    return h ^ h >> 29;
}

uint32_t prof_stat_find(prof_analysis *a, const char *name, int kind)
{
    if (kind == PROF_STAT_RANGE && !strncmp(name, "ProfilerStep#", 13))
        name = "ProfilerStep*";
    if (a->stat_count * 2 >= a->slot_count) {
        size_t n = a->slot_count ? a->slot_count * 2 : 128;
        uint32_t *slots = calloc(n, sizeof *slots);
        prof_stat *grown = realloc(a->stats, n * sizeof *grown);
        if (grown)
            a->stats = grown;
        if (!slots || !grown) {
            free(slots);
            return UINT32_MAX;
        }
        for (size_t i = 0; i < a->stat_count; i++) {
            const char *s = a->stats[i].name;
            size_t k = hash_bytes(s, strlen(s), (uint64_t)a->stats[i].kind) & (n - 1);
            while (slots[k])
                k = (k + 1) & (n - 1);
            slots[k] = (uint32_t)i + 1;
        }
        free(a->stat_slots);
        a->stat_slots = slots;
        a->slot_count = n;
    }
    size_t k = hash_bytes(name, strlen(name), (uint64_t)kind) & (a->slot_count - 1);
    for (; a->stat_slots[k]; k = (k + 1) & (a->slot_count - 1)) {
        prof_stat *s = &a->stats[a->stat_slots[k] - 1];
        if (s->kind == kind && !strcmp(s->name, name))
            return a->stat_slots[k] - 1;
    }
    char *copy = strdup(name);
    if (!copy)
        return UINT32_MAX;
    a->stats[a->stat_count] = (prof_stat){.name = copy, .kind = kind};
    a->stat_slots[k] = (uint32_t)++a->stat_count;
    return (uint32_t)a->stat_count - 1;
}

uint32_t prof_node_find(prof_analysis *a, uint32_t parent, uint32_t stat)
{
    if (a->node_count * 2 >= a->node_slot_count) {
        size_t n = a->node_slot_count ? a->node_slot_count * 2 : 128;
        uint32_t *slots = calloc(n, sizeof *slots);
        prof_node *grown = realloc(a->nodes, n * sizeof *grown);
        if (grown)
            a->nodes = grown;
        if (!slots || !grown) {
            free(slots);
            return 0;
        }
        if (!a->node_count)
            a->nodes[a->node_count++] = (prof_node){0, UINT32_MAX, 0};
        for (size_t i = 1; i < a->node_count; i++) {
            size_t k = hash_bytes((char *)&a->nodes[i], 8, 0) & (n - 1);
            while (slots[k])
                k = (k + 1) & (n - 1);
            slots[k] = (uint32_t)i;
        }
        free(a->node_slots);
        a->node_slots = slots;
        a->node_slot_count = n;
    }
    prof_node key = {parent, stat, 0};
    size_t k = hash_bytes((char *)&key, 8, 0) & (a->node_slot_count - 1);
    for (; a->node_slots[k]; k = (k + 1) & (a->node_slot_count - 1)) {
        prof_node *n = &a->nodes[a->node_slots[k]];
        if (n->parent == parent && n->stat == stat)
            return a->node_slots[k];
    }
    a->nodes[a->node_count] = key;
    a->node_slots[k] = (uint32_t)a->node_count;
    return (uint32_t)a->node_count++;
}

void prof_analysis_finish(prof_analysis *a)
{
    uint64_t *total = calloc(a->node_count + 1, sizeof *total);
    if (!total)
        return;
    for (size_t i = a->node_count; i-- > 1;) { /* a child's number is larger than its parent's */
        prof_node *n = &a->nodes[i];
        total[i] += n->self_cuda_ns;
        total[n->parent] += total[i];
        if (n->stat >= a->stat_count)
            continue;
        a->stats[n->stat].self_cuda_ns += n->self_cuda_ns;
        a->stats[n->stat].cuda_total_ns += total[i];
    }
    free(total);
}

void prof_analysis_free(prof_analysis *a)
{
    for (size_t i = 0; i < a->stat_count; i++) {
        free(a->stats[i].name);
        free(a->stats[i].time.sample);
        free(a->stats[i].bytes.sample);
    }
    free(a->stats);
    free(a->stat_slots);
    free(a->nodes);
    free(a->node_slots);
    memset(a, 0, sizeof *a);
}
