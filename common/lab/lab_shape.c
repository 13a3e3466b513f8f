#include "lab_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

int lab_parse_number(const char **p, size_t *value)
{
    if (!isdigit((unsigned char)**p))
        return -1;
    errno = 0;
    char *end;
    unsigned long long v = strtoull(*p, &end, 10);
    if (errno || v > (1ull << 48))
        return -1;
    *value = (size_t)v;
    *p = end;
    return 0;
}

const char *lab_parse_shape(const char *p, int dims, LabSizes *s)
{
    s->range_dim = -1;
    for (int d = 0; d < dims; d++) {
        if (d && *p++ != 'x')
            return NULL;
        if (lab_parse_number(&p, &s->dim[d]))
            return NULL;
        if (*p == ':') {
            p++;
            if (s->range_dim >= 0 || lab_parse_number(&p, &s->last) || *p++ != ':' || lab_parse_number(&p, &s->step) ||
                s->step == 0 || s->last < s->dim[d])
                return NULL;
            s->range_dim = d;
        }
    }
    return *p == 0 || *p == ' ' ? p : NULL;
}

int lab_dims(const Lab *lab)
{
    int n = 0;
    for (const char *p = lab->dims; p && *p; p++)
        n += *p != ' ' && (p[1] == ' ' || p[1] == 0);
    return n;
}

void lab_shape_text(const size_t *dim, int dims, char text[96])
{
    int n = 0;
    for (int d = 0; d < dims; d++)
        n += snprintf(text + n, 96 - (size_t)n, "%s%zu", d ? "x" : "", dim[d]);
}

int lab_rung_chosen(const char *list, int number)
{
    const char *p = list;
    if (!p)
        return 1;
    if (!*p)
        die_usage("--rung wants numbers like 1,3-5, not nothing");
    while (*p) {
        char *end;
        long first = strtol(p, &end, 10), last = first;
        if (end == p)
            die_usage("--rung wants numbers like 1,3-5, not '%s'", list);
        if (*end == '-') {
            p = end + 1;
            last = strtol(p, &end, 10);
            if (end == p)
                die_usage("--rung wants numbers like 1,3-5, not '%s'", list);
        }
        if (number >= first && number <= last)
            return 1;
        if (*end && *end != ',')
            die_usage("--rung wants numbers like 1,3-5, not '%s'", list);
        p = *end ? end + 1 : end;
    }
    return 0;
}

const char *lab_not_here(const LabRung *r)
{
    if (device_is_cpu() && (r->flags & LAB_CUDA_ONLY))
        return "needs a GPU";
    if (!device_is_cpu() && (r->flags & LAB_NEEDS_SM90A) && device_capability() != 90)
        return "needs compute capability 9.0 (sm_90a)";
    if (!device_is_cpu() && (r->flags & LAB_NEEDS_SM80) && device_capability() < 80)
        return "needs compute capability 8.0";
    return NULL;
}
