// Each of four threads sends a word to the other block by st.async, into the same 16 bytes, and waits for the one that it
// reads, not for its neighbours'
#include "../cluster.h"

PAIR exchange(unsigned *out)
{
	__shared__ alignas(16) unsigned words[4];
	__shared__ uint64_t arrived[4];
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank(), t = threadIdx.x;
	INIT(&arrived[t], 1);
	INIT_FENCE();
	EXPECT(&arrived[t], 4);
	cluster.sync();
	SEND_WORD(&words[t], 10 * rank + t, &arrived[t], rank ^ 1);
	WAIT(&arrived[t], 0);
	out[4 * rank + t] = words[t];
	cluster.sync();
}

int main()
{
	unsigned *out = device_zeros<unsigned>(8), h[8], bad = 0;
	exchange<<<2, 4>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	for (unsigned i = 0; i < 8; i++)
		bad += h[i] != 10 * (1 - i / 4) + i % 4;
	printf("%u wrong\n", bad);
	CHECK(cudaFree(out));
	return bad != 0;
}
