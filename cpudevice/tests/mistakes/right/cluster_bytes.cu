// Threads of one block write neighbouring bytes and halves of the other's words, and its own threads the rest.
#include "../cluster.h"

PAIR pairs(const int *x, int *y)
{
	__shared__ unsigned char bytes[4 * THREADS];
	__shared__ unsigned short halves[2 * THREADS];
	__shared__ float4 wide[THREADS];
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank(), t = threadIdx.x;
	const int i = blockIdx.x * THREADS + t;
	unsigned char *there = cluster.map_shared_rank(bytes, rank ^ 1);
	unsigned short *halves_there = cluster.map_shared_rank(halves, rank ^ 1);
	cluster.sync();
	bytes[4 * t] = (unsigned char)x[i];
	for (int k = 1; k < 4; k++)
		there[4 * t + k] = (unsigned char)k;
	halves[2 * t] = 1;
	halves_there[2 * t + 1] = 2;
	cluster.map_shared_rank(wide, rank ^ 1)[t] = make_float4(1, 2, 3, 4);
	cluster.sync();
	unsigned word;
	memcpy(&word, bytes + 4 * t, 4);
	y[i] = (int)word + halves[2 * t] + halves[2 * t + 1] + (int)wide[t].w + halves_there[(2 * t + 5) % (2 * THREADS)];
	cluster.sync();
}

int main() { return run_pairs(pairs); }
