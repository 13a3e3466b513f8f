/* stamps.cuh: clocks taken inside the kernels of this folder, none of whose lines is changed for it. Included before
 * them, it puts a macro in the place of each instruction that waits, fetches, multiplies, hands back or stores; the
 * macro notes the multiprocessor's clock beside the instruction.
 *
 * One block of the grid is recorded, on four tracks: the first thread of each consumer (0 and 1), the producer's thread
 * (2), and a watcher (3), a thread of the producer's warpgroup that has nothing else to do and waits for each copy to
 * land. A stamp costs its thread 150 to 300 cycles on an H200, in which the products that are in flight go on: a step
 * of the ring takes 1.4 times as long with its stamps, one of ping-pong twice. */
#ifndef HOPPER_STAMPS_CUH
#define HOPPER_STAMPS_CUH

#include "../../common/hopper.cuh"

/* What was done at the stamp. WAIT, GOT: a wait for a barrier begins, ends. FILL: a copy into a slot is asked for.
 * LANDED: its bytes are there. MULTIPLY: a step's products are committed. DONE_BUT_ONE, DONE: so many committed steps
 * are unfinished at most. ARRIVE: a slot is handed back, or the turn handed over. STORE, STORED: the sums begin to be
 * stored; a part of them is on its way. */
enum StampWhat {
    STAMP_NONE,
    STAMP_WAIT,
    STAMP_GOT,
    STAMP_FILL,
    STAMP_LANDED,
    STAMP_MULTIPLY,
    STAMP_DONE,
    STAMP_DONE_BUT_ONE,
    STAMP_ARRIVE,
    STAMP_STORE,
    STAMP_STORED
};
enum { STAMP_TRACKS = 4, STAMP_MOST = 288, STAMP_WATCHER = 2 * 128 + 32 };

typedef struct Stamp {
    int what;
    uint32_t bar; /* the barrier's shared address, or 0 */
    long long cycle;
} Stamp;

static __device__ Stamp stamps[STAMP_TRACKS][STAMP_MOST];
static __constant__ int stamped_block;

/* How many stamps a track has: in shared memory, so that a stamp waits for nothing further away. */
static __device__ __forceinline__ int *stamp_count(int track)
{
    __shared__ int count[STAMP_TRACKS];
    return count + track;
}

static __device__ __forceinline__ void stamp_on(int track, int what, uint32_t bar)
{
    if ((int)(blockIdx.y * gridDim.x + blockIdx.x) == stamped_block) {
        const int i = (*stamp_count(track))++;
        if (i < STAMP_MOST)
            stamps[track][i] = Stamp{what, bar, clock64()};
    }
}

static __device__ __forceinline__ void stamp(int what, uint32_t bar)
{
    if (threadIdx.x % 128 == 0)
        stamp_on((int)threadIdx.x / 128, what, bar);
}

/* One thread calls it, before the block meets. */
static __device__ __forceinline__ void stamps_begin(void)
{
    for (int track = 0; track < STAMP_TRACKS; track++)
        *stamp_count(track) = 0;
}

template <int LEFT> static __device__ __forceinline__ void stamped_wgmma_wait(void)
{
    wgmma_wait<LEFT>();
    stamp(LEFT ? STAMP_DONE_BUT_ONE : STAMP_DONE, 0);
}

/* Takes the place of registers_give() in the producer's warpgroup, and starts the watcher. It gives up after so many
 * cycles without a copy, so that no mistake here can hang the kernel. */
template <int STAGES> struct StampWatcher {
    uint32_t full;
    int steps;

    template <int N> __device__ __forceinline__ void give(void) const
    {
        registers_give<N>();
        if (threadIdx.x != STAMP_WATCHER)
            return;
        for (int k = 0; k < steps; k++) {
            const uint32_t bar = full + 8 * (k % STAGES), parity = k / STAGES & 1;
            const long long begin = clock64();
            uint32_t done = 0;
            while (!done) {
                asm volatile("{\n"
                             ".reg .pred p;\n"
                             "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                             "selp.u32 %0, 1, 0, p;\n"
                             "}"
                             : "=r"(done)
                             : "r"(bar), "r"(parity)
                             : "memory");
                if (clock64() - begin > 1 << 20)
                    return;
            }
            stamp_on(3, STAMP_LANDED, bar);
        }
    }
};

/* A macro does not replace its own name: inside, each is the instruction itself. */
#define mbarrier_init_fence() (stamps_begin(), mbarrier_init_fence())
#define mbarrier_wait(bar, parity) (stamp(STAMP_WAIT, bar), mbarrier_wait(bar, parity), stamp(STAMP_GOT, bar))
#define mbarrier_arrive_expect(bar, bytes) (stamp(STAMP_FILL, bar), mbarrier_arrive_expect(bar, bytes))
#define mbarrier_arrive(bar) (stamp(STAMP_ARRIVE, bar), mbarrier_arrive(bar))
#define wgmma_commit() (wgmma_commit(), stamp(STAMP_MULTIPLY, 0))
#define wgmma_wait stamped_wgmma_wait
#define wgmma_pin(sums) (stamp(STAMP_STORE, 0), wgmma_pin(sums))
#define tma_store_commit() (tma_store_commit(), stamp(STAMP_STORED, 0))
#define registers_give StampWatcher<STAGES>{full, steps}.template give

#endif
