/* tensor_map.c: tensor maps: the driver API that makes them, and the boxes that they describe.
 *
 * The rules of the arguments are those of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col in the driver API's
 * documentation, "Tensor Map Object Management". */
#define _GNU_SOURCE
#include <string.h>

#include "async/tensor_map.h"
#include "cuda.h"
#include "device/sizes.h"

unsigned tensor_element(int type)
{
    static const unsigned char bytes[TYPES] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return bytes[type];
}

/* ---- making them ---- */

static bool floating(int type) { return type >= TYPE_F16; }

/* What both kinds ask. */
static bool common_ok(const CUtensorMap *map, int type, unsigned rank, const void *base, const cuuint64_t *size,
                      const cuuint64_t *stride, const cuuint32_t *step, int interleave, int swizzle, int l2, int fill)
{
    const unsigned unit = interleave == INTERLEAVE_32 ? 32 : 16;
    if (!map || (uintptr_t)map % 64 || type < 0 || type >= TYPES || !size || !step || rank < 1 || rank > TENSOR_RANK ||
        (rank > 1 && !stride))
        return false;
    if (interleave < 0 || interleave >= INTERLEAVES || swizzle < 0 || swizzle >= SWIZZLES || l2 < 0 || l2 > 3 ||
        fill < 0 || fill > 1)
        return false;
    if ((interleave && rank < 3) || (uintptr_t)base % unit || (fill && !floating(type)))
        return false;
    for (unsigned i = 0; i < rank; i++)
        if (size[i] < 1 || size[i] > 1ull << 32 || step[i] < 1 || step[i] > 8)
            return false;
    for (unsigned i = 0; i + 1 < rank; i++)
        if (stride[i] % unit || stride[i] >= 1ull << 40)
            return false;
    return true;
}

static bool inner_ok(size_t bytes, int interleave, int swizzle)
{
    return interleave || (bytes % 16 == 0 && (!swizzle || bytes <= 16u << swizzle));
}

static void fill_in(tensor_map *m, int type, unsigned rank, const void *base, const cuuint64_t *size,
                    const cuuint64_t *stride, const cuuint32_t *step, int interleave, int swizzle, int fill)
{
    m->tag = TENSOR_MAP_TAG;
    m->type = (uint8_t)type;
    m->rank = (uint8_t)rank;
    m->interleave = (uint8_t)interleave;
    m->swizzle = (uint8_t)swizzle;
    m->fill = (uint8_t)fill;
    m->base = (uintptr_t)base;
    for (unsigned i = 0; i < rank; i++) {
        m->last[i] = (uint32_t)(size[i] - 1);
        m->step[i] = (uint8_t)(i || interleave ? step[i] : 1);
        m->stride[i] = i ? stride[i - 1] : 0;
    }
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *base,
                                const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box,
                                const cuuint32_t *step, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
    tensor_map m = {0};
    size_t bytes = 1; /* of the box: more than a block's shared memory is refused, as by the driver of an H200 */
    if (!box ||
        !common_ok(map, (int)type, rank, base, size, stride, step, (int)interleave, (int)swizzle, (int)l2, (int)fill))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < rank; i++) {
        if (box[i] < 1 || box[i] > BOX_MOST)
            return CUDA_ERROR_INVALID_VALUE;
        m.box[i] = (uint16_t)box[i];
        bytes *= i || interleave ? box[i] / step[i] : box[i]; /* it rounds down, also to none */
    }
    if (bytes * tensor_element((int)type) > MAX_SHARED_OPTIN)
        return CUDA_ERROR_INVALID_VALUE;
    if (!inner_ok((size_t)box[0] * tensor_element((int)type), (int)interleave, (int)swizzle))
        return CUDA_ERROR_INVALID_VALUE;
    fill_in(&m, (int)type, rank, base, size, stride, step, (int)interleave, (int)swizzle, (int)fill);
    memset(map, 0, sizeof *map);
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *base,
                                 const cuuint64_t *size, const cuuint64_t *stride, const int *lower, const int *upper,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *step,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill)
{
    static const int most[TENSOR_RANK + 1] = {0, 0, 0, 1 << 15, 1 << 7, 1 << 4}; /* of a corner, by rank */
    tensor_map m = {0};
    if (rank < 3 || !lower || !upper || channels < 1 || channels > 256 || pixels < 1 || pixels > 1024 ||
        !common_ok(map, (int)type, rank, base, size, stride, step, (int)interleave, (int)swizzle, (int)l2, (int)fill))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < rank - 2; i++) {
        /* cppcheck-suppress arrayIndexOutOfBoundsCond ; common_ok() refuses a rank above TENSOR_RANK */
        if (lower[i] < -most[rank] || lower[i] >= most[rank] || upper[i] < -most[rank] || upper[i] >= most[rank])
            return CUDA_ERROR_INVALID_VALUE;
        m.lower[i] = (int16_t)lower[i];
        m.upper[i] = (int16_t)upper[i];
    }
    if (!inner_ok((size_t)channels * tensor_element((int)type), (int)interleave, (int)swizzle))
        return CUDA_ERROR_INVALID_VALUE;
    fill_in(&m, (int)type, rank, base, size, stride, step, (int)interleave, (int)swizzle, (int)fill);
    m.im2col = 1;
    m.box[0] = (uint16_t)channels;
    m.box[1] = (uint16_t)pixels;
    memset(map, 0, sizeof *map);
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *base)
{
    tensor_map m;
    if (!map || (uintptr_t)map % 64)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&m, map, sizeof m);
    if (m.tag != TENSOR_MAP_TAG || (uintptr_t)base % (m.interleave == INTERLEAVE_32 ? 32 : 16))
        return CUDA_ERROR_INVALID_VALUE;
    m.base = (uintptr_t)base;
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}

/* ---- boxes ---- */

void box_of(box *b, const tensor_map *map, const int32_t *at, const uint16_t *offsets)
{
    memset(b, 0, sizeof *b);
    b->map = map;
    b->rows = 1;
    for (int i = 0; i < map->rank; i++) {
        b->at[i] = at[i];
        b->count[i] = map->im2col ? 1 : (map->box[i] + map->step[i] - 1u) / map->step[i];
        if (i)
            b->rows *= b->count[i];
    }
    if (map->im2col) {
        b->count[0] = map->box[0];
        b->rows = map->box[1];
        for (int i = 0; offsets && i < map->rank - 2; i++)
            b->offset[i] = offsets[i];
    }
    b->row = b->count[0] * tensor_element(map->type);
    b->pitch = map->swizzle && !map->interleave ? 16u << map->swizzle : b->row;
}

/* Where pixel i of im2col lies: the pixels of the box between the corners, W fastest, then the next image's. */
static void pixel(const box *b, uint32_t i, int64_t *at)
{
    const tensor_map *m = b->map;
    const int spatial = m->rank - 2;
    int64_t carry = i;
    for (int d = 0; d < spatial; d++) {
        const int64_t from = m->lower[d], to = (int64_t)m->last[d + 1] + m->upper[d]; /* inclusive */
        const int64_t extent = to - from >= 0 ? (to - from) / m->step[d + 1] + 1 : 1;
        int64_t k = (b->at[d + 1] - from) / m->step[d + 1] + carry;
        carry = k / extent;
        k %= extent;
        at[d + 1] = from + k * m->step[d + 1] + b->offset[d];
    }
    at[m->rank - 1] = b->at[m->rank - 1] + carry;
}

char *box_row(const box *b, uint32_t i, uint32_t *first, uint32_t *end)
{
    const tensor_map *m = b->map;
    int64_t at[TENSOR_RANK];
    *first = *end = 0;
    if (m->im2col) {
        pixel(b, i, at);
    } else {
        for (int d = 1; d < m->rank; d++) {
            at[d] = b->at[d] + (int64_t)(i % b->count[d]) * m->step[d];
            i /= b->count[d];
        }
    }
    uint64_t place = m->base;
    for (int d = 1; d < m->rank; d++) {
        if (at[d] < 0 || at[d] > m->last[d])
            return NULL;
        place += (uint64_t)at[d] * m->stride[d];
    }
    const int64_t lo = b->at[0] < 0 ? -b->at[0] : 0, left = (int64_t)m->last[0] + 1 - b->at[0];
    const int64_t hi = left < b->count[0] ? left : b->count[0];
    if (lo >= hi)
        return NULL;
    *first = (uint32_t)lo;
    *end = (uint32_t)hi;
    return (char *)(uintptr_t)(place + (uint64_t)(b->at[0] + lo) * tensor_element(m->type));
}
