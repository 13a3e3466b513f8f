/* Exercise 14.4 a swizzle without conflicts (2 points)
 *
 * A tile in shared memory has rows of 32, 64, 128 or 256 bytes, cut into pieces of 16 bytes. ldmatrix reads the same
 * piece c of 8 consecutive rows in one go, and that is fast only if the 8 places fall into different groups of 4 banks:
 * place % 8 must take all 8 values (a place is 16 bytes; 8 of them are the 32 banks). Unswizzled, piece c of row r is
 * at place r * pieces + c, and with rows of 128 bytes all 8 rows hit the same banks.
 *
 * Instead, put piece c of row r at piece c XOR f(r) of the same row. Choose f for each number of pieces in a row (2, 4,
 * 8 or 16).
 *
 * Hint 1: 8 pieces per row: rows r and r + 1 begin in the same bank, so 8 consecutive rows need 8 different f: r % 8.
 *
 * Hint 2: 4 pieces per row: two rows share the 8 groups of banks, one the lower half and one the upper. So pairs of
 * rows need different f, and there are 4 of them. XOR with a number below the number of pieces never leaves the row.
 *
 * Hint 3: with fewer than 8 pieces f(r) is r / (8 / pieces) % pieces.
 *
 * After a pass:
 * Each row shifts its pieces by its own number with an exclusive or, so eight rows of one column are in different
 * banks; where rows are narrow, those that share the banks shift by the same number. No memory is wasted. Next: read
 * the swizzle of TMA in hopper.md.
 */
#include <string.h>

#include "lab.h"

/* Piece c of row r is at piece c ^ swizzle(r, pieces) of that row. */
__host__ __device__ static int swizzle(int r, int pieces)
{
    // TODO(ex04): the number to XOR with (1 to 3 lines)
    // >>> answer
    // stub: return 0 * r * pieces;
    return pieces >= 8 ? r % 8 : r / (8 / pieces) % pieces;
    // <<< answer
}

/* Writes a tile through the swizzle and reads it back, as a kernel would: out must equal in. */
__global__ void round_trip_kernel(const uint4 *in, uint4 *out, int pieces)
{
    __shared__ uint4 tile[64 * 16];
    for (int i = threadIdx.x; i < 64 * pieces; i += blockDim.x) {
        int r = i / pieces, c = i % pieces;
        tile[r * pieces + (c ^ swizzle(r, pieces)) % 16] = in[i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 64 * pieces; i += blockDim.x) {
        int r = i / pieces, c = i % pieces;
        out[i] = tile[r * pieces + (c ^ swizzle(r, pieces)) % 16];
    }
}

static int round_trip(int pieces)
{
    uint4 in[64 * 16], out[64 * 16], *d_in, *d_out;
    size_t bytes = sizeof(uint4) * 64 * pieces;
    for (unsigned i = 0; i < 64u * pieces; i++)
        in[i] = make_uint4(i, i + 1, i + 2, i + 3);
    CUDA_CHECK(cudaMalloc(&d_in, bytes));
    CUDA_CHECK(cudaMalloc(&d_out, bytes));
    CUDA_CHECK(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_out, 0xff, bytes));
    round_trip_kernel<<<1, 128>>>(d_in, d_out, pieces);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
    return memcmp(in, out, bytes) == 0;
}

static int show(const LabOptions *)
{
    int failed = 0;
    for (int pieces = 2; pieces <= 16; pieces *= 2) {
        int worst = 0, inside = 1;
        for (int r0 = 0; r0 < 64; r0 += 8)
            for (int c = 0; c < pieces; c++) {
                int hits[8] = {0};
                for (int r = r0; r < r0 + 8; r++) {
                    int to = c ^ swizzle(r, pieces);
                    inside &= to >= 0 && to < pieces;
                    int &h = hits[((r * pieces + to) % 8 + 8) % 8];
                    h++;
                    worst = h > worst ? h : worst;
                }
            }
        failed |= lab_claim(inside, "rows of %3d bytes: every piece stays in its row", pieces * 16);
        failed |= lab_claim(worst == 1, "rows of %3d bytes: 8 rows, at most %d in the same banks", pieces * 16, worst);
        failed |=
            lab_claim(inside && round_trip(pieces), "rows of %3d bytes: what is written is what is read", pieces * 16);
    }
    return failed;
}

static const Lab lab = {
    .name = "ex04_bank_swizzle",
    .title = "XOR instead of padding",
    .show = show,
};

LAB_MAIN(lab)
