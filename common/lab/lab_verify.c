#include "lab_internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

static uint64_t claims_made, claims_held;

void lab_claims_reset(void) { claims_made = claims_held = 0; }

void lab_claims_made(uint64_t *made, uint64_t *held)
{
    *made = claims_made;
    *held = claims_held;
}

int lab_claim(int holds, const char *format, ...)
{
    claims_made++;
    if (holds) {
        claims_held++;
        return 0;
    }
    va_list args;
    va_start(args, format);
    fputs("    FAILED: ", stdout);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    return 1;
}

/* How many repeated runs, of --repeat's, give the bits that lie in h_out. */
static int same_bits(const LabRung *r, LabCase *c, size_t bytes)
{
    void *again = malloc(bytes + 1);
    int same = 0;
    for (; same < lab_options()->repeat; same++) {
        progress("repeating, run", same, lab_options()->repeat);
        CUDA_CHECK(cudaMemsetAsync(c->out, 0xff, bytes, c->stream));
        c->lab->run(r, c);
        CUDA_CHECK(cudaMemcpyAsync(again, c->out, bytes, cudaMemcpyDeviceToHost, c->stream));
        CUDA_CHECK(cudaStreamSynchronize(c->stream));
        if (memcmp(again, c->h_out, bytes) != 0)
            break;
    }
    progress("", 1, 1);
    free(again);
    return same;
}

/* The first wrong element, in words. */
void lab_mismatch_text(const LabCase *c, const Mismatch *m, char *why, size_t why_bytes)
{
    char place[64], got[32] = "was never written", should_be[48] = "", unwritten[48] = "";
    if (c->out_width)
        snprintf(place, sizeof place, "row %zu, column %zu", m->index / c->out_width, m->index % c->out_width);
    else
        snprintf(place, sizeof place, "element %zu", m->index);
    if (!m->first_unwritten)
        snprintf(got, sizeof got, "is %.9g", m->got);
    if (lab_is_untouched(m->expected))
        snprintf(should_be, sizeof should_be, ", should not have been written");
    else if (!lab_is_unchecked(m->expected))
        snprintf(should_be, sizeof should_be, ", should be %.9g", m->expected);
    if (m->unwritten)
        snprintf(unwritten, sizeof unwritten, " (%zu never written)", m->unwritten);
    snprintf(why, why_bytes, "%s %s%s; %zu of %zu wrong%s", place, got, should_be, m->wrong, c->out_count, unwritten);
}

LabVerdict lab_run_once(const LabRung *r, LabCase *c, char *why, size_t why_bytes)
{
    const char *reason = lab_not_here(r);
    if (reason) {
        snprintf(why, why_bytes, "%s", reason);
        return LAB_SKIPPED;
    }
    if (c->lab->refuse && (reason = c->lab->refuse(r, c))) {
        snprintf(why, why_bytes, "%s", reason);
        return LAB_REFUSED;
    }
    size_t bytes = c->out_count * lab_type_bytes(c->out_type);
    CUDA_CHECK(cudaMemset(c->out, 0xff, bytes));
    CUDA_CHECK(cudaDeviceSynchronize());
    lab_skipped(why, why_bytes); /* what was said before is over */
    lab_model_begin();
    c->lab->run(r, c);
    if (lab_skipped(why, why_bytes))
        return LAB_SKIPPED;
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(c->stream);
    lab_model_end();
    if (error != cudaSuccess) {
        snprintf(why, why_bytes, "%s", cudaGetErrorString(error));
        return LAB_FAIL;
    }
    CUDA_CHECK(cudaMemcpy(c->h_out, c->out, bytes, cudaMemcpyDeviceToHost));
    return LAB_PASS;
}

/* Is what was copied to h_out right? `why` names the first wrong element. */
static int is_right(const LabCase *c, Mismatch *m, char *why, size_t why_bytes)
{
    if (compare(c->h_out, c->out_type, c->expect, c->out_count, c->atol, c->rtol, m) == 0)
        return 1;
    lab_mismatch_text(c, m, why, why_bytes);
    return 0;
}

LabVerdict lab_verify_by(void (*run)(void *context), void *context, LabCase *c, char *why, size_t why_bytes)
{
    size_t bytes = c->out_count * lab_type_bytes(c->out_type);
    Mismatch m;
    CUDA_CHECK(cudaMemset(c->out, 0xff, bytes));
    CUDA_CHECK(cudaDeviceSynchronize());
    run(context);
    CUDA_CHECK(cudaMemcpyAsync(c->h_out, c->out, bytes, cudaMemcpyDeviceToHost, c->stream));
    CUDA_CHECK(cudaStreamSynchronize(c->stream));
    return is_right(c, &m, why, why_bytes) ? LAB_PASS : LAB_FAIL;
}

LabVerdict lab_verify(const LabRung *r, LabCase *c, char *why, size_t why_bytes)
{
    size_t bytes = c->out_count * lab_type_bytes(c->out_type);
    LabVerdict ran = lab_run_once(r, c, why, why_bytes);
    if (ran != LAB_PASS)
        return ran;
    Mismatch m;
    if (!is_right(c, &m, why, why_bytes))
        return LAB_FAIL;
    int n = snprintf(why, why_bytes, "max error %.2g", m.max_error);
    if (lab_options()->repeat == 0)
        return LAB_PASS;
    int same = same_bits(r, c, bytes);
    if (same == lab_options()->repeat)
        snprintf(why + n, why_bytes - (size_t)n, "; the same bits %d times more", same);
    else
        snprintf(why, why_bytes, "repeated run %d gives other bits than the first", same + 1);
    return same == lab_options()->repeat ? LAB_PASS : LAB_FAIL;
}
