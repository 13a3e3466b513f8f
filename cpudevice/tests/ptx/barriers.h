/* barriers.h: mbarriers, for cpudevice/tests/ptx/ptx_async.cu: what one thread sees of a random sequence of operations. */

static __global__ void barrier(int number, uint64_t *out)
{
    __shared__ uint64_t object;
    Random r = {mix((uint64_t)number) + 33};
    const uint32_t bar = address(&object);
    unsigned expected = 2 + below(&r, 20), pending = expected;
    int bytes = 0, phase = 0, ended = 0; /* a model, to keep to what is defined */
    uint64_t state = 0, hash = 0;
    barrier_init(bar, expected);
    for (int i = 0; i < 64; i++) {
        const unsigned count = 1 + below(&r, pending == 0 ? 1 : pending < 4 ? pending : 4);
        const unsigned amount = 16 * (1 + below(&r, 200)), what = below(&r, 8);
        const uint64_t was = state;
        uint32_t seen = 0, p;
        if (what < 3 && pending) {
            asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"
                         : "=l"(state)
                         : "r"(bar), "r"(count)
                         : "memory");
            asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(seen) : "l"(state));
            pending -= count;
        } else if (what == 3 && pending > 1) {
            asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(bar) : "memory");
            asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(seen) : "l"(state));
            pending--, expected--;
        } else if (what == 4 && pending && bytes >= 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;"
                         : "=l"(state)
                         : "r"(bar), "r"(amount)
                         : "memory");
            asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(seen) : "l"(state));
            bytes += (int)amount;
            pending--;
        } else if (what == 5) {
            asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(amount) : "memory");
            bytes += (int)amount;
        } else if (what == 6 && bytes > 0) {
            const int part = below(&r, 2) ? bytes : bytes / 2;
            asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(part) : "memory");
            bytes -= part;
        } else if (state) {
            asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                         : "=r"(seen)
                         : "r"(bar), "l"(state)
                         : "memory");
            seen += 4;
        }
        if (state != was || what < 5)
            ended = 0;
        if (!pending && !bytes) {
            pending = expected;
            phase ^= 1;
            if (ended++)
                state = 0; /* two phases on it is of none that may be asked for */
        }
        for (uint32_t parity = 0; parity < 2; parity++) {
            asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, "
                         "p;\n}"
                         : "=r"(p)
                         : "r"(bar), "r"(parity)
                         : "memory");
            seen = seen * 2 + p;
        }
        hash = mix(hash ^ seen ^ (uint64_t)phase << 40);
    }
    *out = hash;
}

/* A thread that drops out and announces bytes in one; waits for the phase of a state by try_wait. */
static __global__ void drop(int number, uint64_t *out)
{
    __shared__ uint64_t object;
    Random r = {mix((uint64_t)number) + 66};
    const uint32_t bar = address(&object);
    const unsigned count = 2 + below(&r, 6), bytes = 16 * (1 + below(&r, 100));
    uint64_t state, last, hash = 0;
    uint32_t seen;
    barrier_init(bar, count);
    asm volatile("mbarrier.arrive_drop.expect_tx.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "r"(bar), "r"(bytes)
                 : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(seen) : "l"(state));
    hash = mix(hash ^ seen);
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
    for (unsigned i = 1; i < 3 * count - 2; i++) { /* this phase, and two of count - 1 behind it */
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(last) : "r"(bar) : "memory");
        asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(seen) : "l"(last));
        hash = mix(hash ^ seen);
        if (i < 2 * count - 2) {
            asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.shared::cta.b64 p, [%1], %2, 100;\nselp.u32 %0, 1, 0, "
                         "p;\n}"
                         : "=r"(seen)
                         : "r"(bar), "l"(state)
                         : "memory");
            hash = mix(hash ^ seen ^ i << 8);
        }
    }
    *out = hash;
}
