/*
 * cooperative_groups.h: thread_block, thread_block_tile, tiled_partition, coalesced_group, cluster_group, grid_group and what is done
 * with them (sync, shuffles, votes, partitions; reduce, scan and memcpy_async in the headers below).
 *
 * A group of at most 32 threads is a mask of lanes of one warp; lanes the block does not have are left out. Tiles of
 * several warps are in runtime/warp/group.c. A thread's rank is its place in its group. C and host C++ may include this
 * header, as NVIDIA's, and get nothing.
 */
#ifndef COOPERATIVE_GROUPS_H
#define COOPERATIVE_GROUPS_H
#if defined __cplusplus && defined __CUDACC__

#include <type_traits>

#include "cuda_runtime.h"
#include "cpudevice.h"

#define _CG_HAS_TYPED_TILES 1

namespace cooperative_groups
{

namespace cpudev
{

/* What the runtime reads of a value is the function's own: a value in memory is read where the checker sees it. */
template <class __T> static inline __T shuffle(unsigned mask, const __T &value, unsigned lane)
{
    const __T own = value;
    __T result;
    ::cpudev_warp_shuffle(mask, (const void *)&own, (void *)&result, (unsigned)sizeof(__T), lane);
    return result;
}

static inline unsigned block_threads(void) { return blockDim.x * blockDim.y * blockDim.z; }
static inline unsigned block_count(void) { return gridDim.x * gridDim.y * gridDim.z; }
static inline unsigned block_number(void) { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }

/* The lanes of this warp that exist. */
static inline unsigned warp_lanes(void)
{
    unsigned left = block_threads() - (cpudev_tid() & ~31u);
    return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

/* The lane of a group's rank-th thread, 32 if there is none. */
static inline unsigned lane_of(unsigned mask, unsigned rank)
{
    for (unsigned lane = 0; lane < 32; lane++)
        if (mask >> lane & 1 && rank-- == 0)
            return lane;
    return 32;
}
static inline unsigned rank_of(unsigned mask, unsigned lane)
{
    return (unsigned)__builtin_popcount(mask & ((1u << lane) - 1));
}

} // namespace cpudev

struct thread_group_base {
};

/* ---- groups within a warp: what tiles and coalesced groups share ---- */

class cpudev_lanes
{
  public:
    unsigned mask;

    unsigned cpudev_mask(void) const { return mask; }
    void sync(void) const { ::cpudev_syncwarp(mask); }
    int any(int p) const { return ::cpudev_ballot(mask, p) != 0; }
    int all(int p) const { return ::cpudev_ballot(mask, p) == mask; }
    struct arrival_token {
    };
    arrival_token barrier_arrive(void) const { return arrival_token(); }
    void barrier_wait(arrival_token &&) const { sync(); }

  protected:
    /* A mask of lanes as a mask of ranks. */
    unsigned ranks(unsigned lanes) const
    {
        unsigned result = 0, rank = 0;
        for (unsigned lane = 0; lane < 32; lane++)
            if (mask >> lane & 1)
                result |= (lanes >> lane & 1) << rank++;
        return result;
    }
    template <class __T> unsigned match(const __T &value, bool everyone, int *pred) const
    {
        __T all[32];
        unsigned same = 0;
        ::cpudev_warp_allgather(mask, (const void *)&value, (void *)all, (unsigned)sizeof(__T));
        for (unsigned lane = 0; lane < 32; lane++)
            if (mask >> lane & 1 && memcmp((const void *)&all[lane], (const void *)&value, sizeof(__T)) == 0)
                same |= 1u << lane;
        if (pred)
            *pred = same == mask;
        return ranks(everyone && same != mask ? 0 : same);
    }
};

/* ---- thread_block ---- */

class thread_block : public thread_group_base
{
  public:
    struct arrival_token {
    };
    static void sync(void) { ::__syncthreads(); }
    /* A split barrier waits at the wait; arriving costs nothing here. */
    static arrival_token barrier_arrive(void) { return arrival_token(); }
    static void barrier_wait(arrival_token &&) { ::__syncthreads(); }
    static unsigned thread_rank(void) { return ::cpudev_tid(); }
    static unsigned size(void) { return cpudev::block_threads(); }
    static unsigned num_threads(void) { return cpudev::block_threads(); }
    static dim3 group_index(void) { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static dim3 thread_index(void) { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static dim3 group_dim(void) { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static dim3 dim_threads(void) { return group_dim(); }
    static bool is_valid(void) { return true; }
};
static inline thread_block this_thread_block(void) { return thread_block(); }

/* ---- cluster_group ---- */

class cluster_group : public thread_group_base
{
  public:
    struct arrival_token {
    };
    static void sync(void) { barrier_wait(barrier_arrive()); }
    static arrival_token barrier_arrive(void)
    {
        ::__cluster_barrier_arrive();
        return arrival_token();
    }
    static void barrier_wait(void) { ::__cluster_barrier_wait(); }
    static void barrier_wait(arrival_token &&) { barrier_wait(); }
    static unsigned query_shared_rank(const void *p) { return ::__cluster_query_shared_rank(p); }
    template <class __T> static __T *map_shared_rank(__T *p, int rank)
    {
        return (__T *)::__cluster_map_shared_rank((const void *)p, (unsigned)rank);
    }
    static dim3 block_index(void) { return ::__clusterRelativeBlockIdx(); }
    static unsigned block_rank(void) { return ::__clusterRelativeBlockRank(); }
    static dim3 thread_index(void)
    {
        const dim3 at = block_index();
        return dim3(at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y, at.z * blockDim.z + threadIdx.z);
    }
    static unsigned thread_rank(void) { return block_rank() * cpudev::block_threads() + ::cpudev_tid(); }
    static dim3 dim_blocks(void) { return ::__clusterDim(); }
    static unsigned num_blocks(void) { return ::__clusterSizeInBlocks(); }
    static dim3 dim_threads(void)
    {
        const dim3 size = dim_blocks();
        return dim3(size.x * blockDim.x, size.y * blockDim.y, size.z * blockDim.z);
    }
    static unsigned num_threads(void) { return num_blocks() * cpudev::block_threads(); }
    static unsigned size(void) { return num_threads(); }
    static bool is_valid(void) { return true; }
};
static inline cluster_group this_cluster(void) { return cluster_group(); }

/* ---- grid_group ---- */

class grid_group
{
  public:
    struct arrival_token {
    };
    static bool is_valid(void) { return ::cpudev_grid_is_cooperative() != 0; }
    static void sync(void) { ::cpudev_grid_sync(); }
    static arrival_token barrier_arrive(void) { return arrival_token(); }
    static void barrier_wait(arrival_token &&) { ::cpudev_grid_sync(); }
    static unsigned long long size(void) { return (unsigned long long)cpudev::block_count() * cpudev::block_threads(); }
    static unsigned long long num_threads(void) { return size(); }
    static unsigned long long thread_rank(void)
    {
        return (unsigned long long)cpudev::block_number() * cpudev::block_threads() + ::cpudev_tid();
    }
    static dim3 group_dim(void) { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static dim3 dim_blocks(void) { return group_dim(); }
    static unsigned long long num_blocks(void) { return cpudev::block_count(); }
    static dim3 block_index(void) { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static unsigned long long block_rank(void) { return cpudev::block_number(); }
};
static inline grid_group this_grid(void) { return grid_group(); }

/* ---- coalesced_group ---- */

class coalesced_group : public cpudev_lanes, public thread_group_base
{
  public:
    unsigned part = 0, parts = 1; /* place among the groups that one partition made */

    explicit coalesced_group(unsigned lanes = 0) { mask = lanes; }
    unsigned size(void) const { return (unsigned)__builtin_popcount(mask); }
    unsigned num_threads(void) const { return size(); }
    unsigned thread_rank(void) const { return cpudev::rank_of(mask, ::cpudev_lane()); }
    unsigned meta_group_rank(void) const { return part; }
    unsigned meta_group_size(void) const { return parts; }
    unsigned ballot(int p) const { return ranks(::cpudev_ballot(mask, p)); }
    template <class __T> CPUDEV_MEMBER __T shfl(__T value, unsigned rank) const
    {
        return cpudev::shuffle(mask, value, cpudev::lane_of(mask, rank % size()));
    }
    template <class __T> CPUDEV_MEMBER __T shfl_up(__T value, unsigned delta) const
    {
        unsigned rank = thread_rank();
        return cpudev::shuffle(mask, value, cpudev::lane_of(mask, rank < delta ? rank : rank - delta));
    }
    template <class __T> CPUDEV_MEMBER __T shfl_down(__T value, unsigned delta) const
    {
        unsigned rank = thread_rank();
        return cpudev::shuffle(mask, value, cpudev::lane_of(mask, rank + delta >= size() ? rank : rank + delta));
    }
    template <class __T> CPUDEV_MEMBER unsigned match_any(__T value) const { return match(value, false, 0); }
    template <class __T> CPUDEV_MEMBER unsigned match_all(__T value, int &pred) const
    {
        return match(value, true, &pred);
    }
};

/* The threads of this warp that are here together. */
static inline __attribute__((always_inline)) coalesced_group coalesced_threads(void)
{
    return coalesced_group(__activemask());
}

/* ---- tiles ---- */

template <unsigned Size> class cpudev_small_tile : public cpudev_lanes, public thread_group_base
{
  public:
    unsigned long long part, parts;

    cpudev_small_tile(void) {}
    template <class From>
    explicit cpudev_small_tile(const From &parent)
        : part(parent.thread_rank() / Size), parts((parent.num_threads() + Size - 1) / Size)
    {
        unsigned first = ::cpudev_lane() & ~(Size - 1);
        mask = (Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << first) & cpudev::warp_lanes();
    }
    static unsigned thread_rank(void) { return ::cpudev_lane() & (Size - 1); }
    static constexpr unsigned size(void) { return Size; }
    static constexpr unsigned num_threads(void) { return Size; }
    unsigned meta_group_rank(void) const { return (unsigned)part; }
    unsigned meta_group_size(void) const { return (unsigned)parts; }
    unsigned ballot(int p) const { return ::cpudev_ballot(mask, p) >> first_lane(); }
    int all(int p) const { return ::cpudev_ballot(mask, p) == mask; }
    template <class __T> CPUDEV_MEMBER __T shfl(__T value, unsigned rank) const
    {
        return cpudev::shuffle(mask, value, (unsigned)::cpudev::asked_idx((int)::cpudev_lane(), (int)rank, Size));
    }
    template <class __T> CPUDEV_MEMBER __T shfl_up(__T value, unsigned delta) const
    {
        return cpudev::shuffle(mask, value, (unsigned)::cpudev::asked_up((int)::cpudev_lane(), delta, Size));
    }
    template <class __T> CPUDEV_MEMBER __T shfl_down(__T value, unsigned delta) const
    {
        return cpudev::shuffle(mask, value, (unsigned)::cpudev::asked_down((int)::cpudev_lane(), delta, Size));
    }
    template <class __T> CPUDEV_MEMBER __T shfl_xor(__T value, unsigned lanes) const
    {
        return cpudev::shuffle(mask, value, first_lane() + ((thread_rank() ^ lanes) % Size));
    }
    template <class __T> CPUDEV_MEMBER unsigned match_any(__T value) const { return match(value, false, 0); }
    template <class __T> CPUDEV_MEMBER unsigned match_all(__T value, int &pred) const
    {
        return match(value, true, &pred);
    }
    operator coalesced_group() const
    {
        coalesced_group g(mask);
        g.part = (unsigned)part;
        g.parts = (unsigned)parts;
        return g;
    }

  private:
    static unsigned first_lane(void) { return ::cpudev_lane() & ~(Size - 1); }
};

/* Tiles of several warps. */
template <unsigned Size> class cpudev_large_tile : public thread_group_base
{
  public:
    unsigned first, threads;

    cpudev_large_tile(void) {}
    template <class From> explicit cpudev_large_tile(const From &) : first(::cpudev_tid() / Size * Size)
    {
        threads = cpudev::block_threads() - first < Size ? cpudev::block_threads() - first : Size;
    }
    static unsigned thread_rank(void) { return ::cpudev_tid() % Size; }
    static constexpr unsigned size(void) { return Size; }
    static constexpr unsigned num_threads(void) { return Size; }
    unsigned meta_group_rank(void) const { return first / Size; }
    unsigned meta_group_size(void) const { return (cpudev::block_threads() + Size - 1) / Size; }
    void sync(void) const { ::cpudev_tile_sync(first, threads); }
    template <class __T> CPUDEV_MEMBER __T shfl(__T value, unsigned rank) const
    {
        __T all[Size];
        ::cpudev_tile_allgather(first, threads, (const void *)&value, (void *)all, (unsigned)sizeof(__T));
        return all[rank % threads];
    }
    int any(int p) const { return votes(p) != 0; }
    int all(int p) const { return votes(p) == threads; }

  private:
    unsigned votes(int p) const
    {
        unsigned char mine = p != 0, given[Size];
        unsigned count = 0;
        ::cpudev_tile_allgather(first, threads, &mine, given, 1);
        for (unsigned i = 0; i < threads; i++)
            count += given[i];
        return count;
    }
};

template <unsigned Size, class Parent = thread_block>
class thread_block_tile : public std::conditional<(Size <= 32), cpudev_small_tile<Size>, cpudev_large_tile<Size>>::type
{
    static_assert(Size > 0 && Size <= 512 && (Size & (Size - 1)) == 0, "a tile's size is a power of two up to 512");
    typedef typename std::conditional<(Size <= 32), cpudev_small_tile<Size>, cpudev_large_tile<Size>>::type base;

  public:
    thread_block_tile(void) {}
    template <class From> explicit thread_block_tile(const From &parent) : base(parent) {}
    template <class Other> thread_block_tile(const thread_block_tile<Size, Other> &t) : base(*(const base *)&t) {}
};

/* Memory and scratch that tiles of several warps need on a GPU; kept so that programs that name it compile. */
namespace experimental
{
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
};
} // namespace experimental
using experimental::block_tile_memory;
template <unsigned Max> static inline thread_block this_thread_block(block_tile_memory<Max> &)
{
    return thread_block();
}

template <unsigned Size, class Parent>
static inline thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
    return thread_block_tile<Size, Parent>(parent);
}

/* Split a group of lanes: into pieces of `size` by rank, by a label, or by a condition. */
static inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
    unsigned part = parent.thread_rank() / size, lanes = 0;
    for (unsigned rank = part * size; rank < (part + 1) * size && rank < parent.size(); rank++)
        lanes |= 1u << cpudev::lane_of(parent.mask, rank);
    coalesced_group g(lanes);
    g.part = part;
    g.parts = (parent.size() + size - 1) / size;
    return g;
}
template <class Group, class Label> static inline coalesced_group labeled_partition(const Group &parent, Label label)
{
    Label all[32];
    unsigned lanes = 0, smaller = 0, labels = 0;
    ::cpudev_warp_allgather(parent.cpudev_mask(), (const void *)&label, (void *)all, (unsigned)sizeof(label));
    for (unsigned lane = 0; lane < 32; lane++) {
        if (!(parent.mask >> lane & 1))
            continue;
        lanes |= (unsigned)(all[lane] == label) << lane;
        bool seen = false; /* count each label once */
        for (unsigned before = 0; before < lane; before++)
            seen |= parent.mask >> before & 1 && all[before] == all[lane];
        labels += !seen;
        smaller += !seen && all[lane] < label;
    }
    coalesced_group g(lanes);
    g.part = smaller;
    g.parts = labels;
    return g;
}
template <class Group> static inline coalesced_group binary_partition(const Group &parent, bool condition)
{
    return labeled_partition(parent, (unsigned char)condition);
}

/* ---- thread_group: any of the above, its kind known at run time ---- */

class thread_group
{
    enum kind_t { block, lanes, whole_grid } kind;
    coalesced_group g;

  public:
    thread_group(const thread_block &) : kind(block) {}
    thread_group(const grid_group &) : kind(whole_grid) {}
    thread_group(const coalesced_group &c) : kind(lanes), g(c) {}
    template <unsigned Size, class Parent>
    thread_group(const thread_block_tile<Size, Parent> &t) : kind(lanes), g(t.mask)
    {
    }
    unsigned long long size(void) const
    {
        return kind == block ? thread_block::size() : kind == lanes ? g.size() : grid_group::size();
    }
    unsigned long long num_threads(void) const { return size(); }
    unsigned long long thread_rank(void) const
    {
        return kind == block   ? thread_block::thread_rank()
               : kind == lanes ? g.thread_rank()
                               : grid_group::thread_rank();
    }
    void sync(void) const
    {
        if (kind == block)
            thread_block::sync();
        else if (kind == lanes)
            g.sync();
        else
            grid_group::sync();
    }
    bool is_valid(void) const { return kind != whole_grid || grid_group::is_valid(); }
    friend thread_group tiled_partition(const thread_group &parent, unsigned size);
};
/* Pieces of a block have at most 32 threads. */
inline thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    coalesced_group warp(cpudev::warp_lanes());
    return thread_group(tiled_partition(parent.kind == thread_group::lanes ? parent.g : warp, size));
}
static inline thread_group tiled_partition(const thread_block &parent, unsigned size)
{
    return tiled_partition(thread_group(parent), size);
}

/* ---- what any group can do ---- */

template <class Group> static inline void sync(const Group &g) { g.sync(); }
template <class Group> static inline auto thread_rank(const Group &g) -> decltype(g.thread_rank())
{
    return g.thread_rank();
}
template <class Group> static inline auto group_size(const Group &g) -> decltype(g.size()) { return g.size(); }

/* One thread of the group runs fn. */
template <class Group, class Fn, class... Args> static inline void invoke_one(const Group &g, Fn &&fn, Args &&...args)
{
    if (g.thread_rank() == 0)
        fn(args...);
}
template <class Group, class Fn, class... Args>
static inline auto invoke_one_broadcast(const Group &g, Fn &&fn, Args &&...args) -> decltype(fn(args...))
{
    decltype(fn(args...)) result;
    if (g.thread_rank() == 0)
        result = fn(args...);
    return g.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
#endif
