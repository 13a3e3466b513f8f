/* sparse_rows.c: CSR and block CSR (sparse.h): made from a dense matrix or at random, and turned back into a dense one;
 * and how many bytes each format takes. What cannot be allocated leaves the matrix empty and returns -1. */
#include "sparse.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "types.h"

int csr_from_dense(Csr *csr, const float *dense, size_t rows, size_t columns)
{
    size_t n = 0;
    for (size_t i = 0; i < rows * columns; i++)
        n += dense[i] != 0;
    *csr = (Csr){.rows = rows, .columns = columns, .nonzeros = n};
    csr->row_start = malloc((rows + 1) * sizeof *csr->row_start);
    csr->column = malloc((n + 1) * sizeof *csr->column);
    csr->value = malloc((n + 1) * sizeof *csr->value);
    if (!csr->row_start || !csr->column || !csr->value) {
        csr_free(csr);
        return -1;
    }
    n = 0;
    for (size_t r = 0; r < rows; r++) {
        csr->row_start[r] = (int)n;
        for (size_t c = 0; c < columns; c++)
            if (dense[r * columns + c] != 0) {
                csr->column[n] = (int)c;
                csr->value[n++] = dense[r * columns + c];
            }
    }
    csr->row_start[rows] = (int)n;
    return 0;
}

void csr_to_dense(const Csr *csr, float *dense)
{
    memset(dense, 0, csr->rows * csr->columns * sizeof *dense);
    for (size_t r = 0; r < csr->rows; r++)
        for (int i = csr->row_start[r]; i < csr->row_start[r + 1]; i++)
            dense[r * csr->columns + (size_t)csr->column[i]] = csr->value[i];
}

void csr_free(Csr *csr)
{
    free(csr->row_start);
    free(csr->column);
    free(csr->value);
    memset(csr, 0, sizeof *csr);
}

const char *csr_problem(const Csr *csr)
{
    if (csr->row_start[0] != 0 || (size_t)csr->row_start[csr->rows] != csr->nonzeros)
        return "CSR: the row starts do not span the nonzeros";
    for (size_t r = 0; r < csr->rows; r++) {
        if (csr->row_start[r + 1] < csr->row_start[r])
            return "CSR: a row starts before the row above it";
        for (int i = csr->row_start[r]; i < csr->row_start[r + 1]; i++) {
            if (csr->column[i] < 0 || (size_t)csr->column[i] >= csr->columns)
                return "CSR: a column is outside the matrix";
            if (i > csr->row_start[r] && csr->column[i] <= csr->column[i - 1])
                return "CSR: the columns of a row do not ascend";
        }
    }
    return NULL;
}

static int block_is_zero(const uint16_t *dense, size_t columns, size_t block)
{
    for (size_t r = 0; r < block; r++)
        for (size_t c = 0; c < block; c++)
            if (dense[r * columns + c] & 0x7fff)
                return 0;
    return 1;
}

int bsr_from_dense(Bsr *bsr, const uint16_t *dense, size_t rows, size_t columns, size_t block)
{
    size_t block_rows = rows / block, block_columns = columns / block, n = 0;
    for (size_t r = 0; r < block_rows; r++)
        for (size_t c = 0; c < block_columns; c++)
            n += !block_is_zero(dense + r * block * columns + c * block, columns, block);
    *bsr = (Bsr){.rows = rows, .columns = columns, .block = block, .blocks = n};
    bsr->row_start = malloc((block_rows + 1) * sizeof *bsr->row_start);
    bsr->column = malloc((n + 1) * sizeof *bsr->column);
    bsr->value = malloc((n * block * block + 1) * sizeof *bsr->value);
    if (!bsr->row_start || !bsr->column || !bsr->value) {
        bsr_free(bsr);
        return -1;
    }
    n = 0;
    for (size_t r = 0; r < block_rows; r++) {
        bsr->row_start[r] = (int)n;
        for (size_t c = 0; c < block_columns; c++) {
            const uint16_t *from = dense + r * block * columns + c * block;
            if (block_is_zero(from, columns, block))
                continue;
            for (size_t i = 0; i < block; i++)
                memcpy(bsr->value + (n * block + i) * block, from + i * columns, block * sizeof *from);
            bsr->column[n++] = (int)c;
        }
    }
    bsr->row_start[block_rows] = (int)n;
    return 0;
}

void bsr_to_dense(const Bsr *bsr, uint16_t *dense)
{
    memset(dense, 0, bsr->rows * bsr->columns * sizeof *dense);
    for (size_t r = 0; r < bsr->rows / bsr->block; r++)
        for (int b = bsr->row_start[r]; b < bsr->row_start[r + 1]; b++)
            for (size_t i = 0; i < bsr->block; i++)
                memcpy(dense + (r * bsr->block + i) * bsr->columns + (size_t)bsr->column[b] * bsr->block,
                       bsr->value + ((size_t)b * bsr->block + i) * bsr->block, bsr->block * sizeof *dense);
}

void bsr_free(Bsr *bsr)
{
    free(bsr->row_start);
    free(bsr->column);
    free(bsr->value);
    memset(bsr, 0, sizeof *bsr);
}

int csr_random(Csr *csr, size_t rows, size_t columns, double sparsity, uint64_t seed)
{
    size_t room = (size_t)((1 - sparsity) * (double)rows * (double)columns * 1.05) + 1024, n = 0;
    *csr = (Csr){.rows = rows, .columns = columns};
    csr->row_start = malloc((rows + 1) * sizeof *csr->row_start);
    csr->column = malloc(room * sizeof *csr->column);
    csr->value = malloc(room * sizeof *csr->value);
    if (!csr->row_start || !csr->column || !csr->value) {
        csr_free(csr);
        return -1;
    }
    for (size_t r = 0; r < rows; r++) {
        csr->row_start[r] = (int)n;
        for (size_t c = 0; c < columns && n < room; c++)
            if (random_uniform(seed, r * columns + c) >= sparsity) {
                csr->column[n] = (int)c;
                csr->value[n] = (float)(2 * random_uniform(seed + 1, n) - 1);
                n++;
            }
    }
    csr->row_start[rows] = (int)n;
    csr->nonzeros = n;
    return 0;
}

int bsr_random(Bsr *bsr, size_t rows, size_t columns, size_t block, double sparsity, uint64_t seed)
{
    size_t down = rows / block, across = columns / block;
    *bsr = (Bsr){.rows = rows, .columns = columns, .block = block};
    bsr->row_start = malloc((down + 1) * sizeof *bsr->row_start);
    bsr->column = malloc((down * across + 1) * sizeof *bsr->column);
    if (bsr->row_start && bsr->column) {
        for (size_t r = 0; r < down; r++) {
            bsr->row_start[r] = (int)bsr->blocks;
            for (size_t c = 0; c < across; c++)
                if (random_uniform(seed, r * across + c) >= sparsity)
                    bsr->column[bsr->blocks++] = (int)c;
        }
        bsr->row_start[down] = (int)bsr->blocks;
        bsr->value = malloc((bsr->blocks * block * block + 1) * sizeof *bsr->value);
    }
    if (!bsr->value) {
        bsr_free(bsr);
        return -1;
    }
#pragma omp parallel for
    for (size_t i = 0; i < bsr->blocks * block * block; i++)
        bsr->value[i] = bf16_from_float((float)(2 * random_uniform(seed + 1, i) - 1));
    return 0;
}

void bsr_longest_first(const Bsr *bsr, int *order)
{
    size_t down = bsr->rows / bsr->block, across = bsr->columns / bsr->block, n = 0;
    for (size_t count = across + 1; count-- > 0;)
        for (size_t r = 0; r < down; r++)
            if ((size_t)(bsr->row_start[r + 1] - bsr->row_start[r]) == count)
                order[n++] = (int)r;
}

size_t coo_bytes(size_t nonzeros, size_t element_bytes) { return nonzeros * (element_bytes + 8); }

size_t csr_bytes(size_t rows, size_t nonzeros, size_t element_bytes)
{
    return nonzeros * (element_bytes + 4) + (rows + 1) * 4;
}

size_t bsr_bytes(size_t rows, size_t block, size_t blocks, size_t element_bytes)
{
    return blocks * (block * block * element_bytes + 4) + (rows / block + 1) * 4;
}
