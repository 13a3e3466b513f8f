// Two threads send a word each by st.async, into the same 16 bytes and for an mbarrier each; only the second is waited for
#include "../cluster.h"

#ifdef FIXED
enum { WAITED_FOR = 2 };
#else
enum { WAITED_FOR = 1 };
#endif

PAIR exchange(unsigned *out)
{
	__shared__ alignas(16) unsigned words[2];
	__shared__ uint64_t arrived[2];
	cg::cluster_group cluster = cg::this_cluster();
	const unsigned rank = cluster.block_rank(), t = threadIdx.x;
	INIT(&arrived[t], 1);
	INIT_FENCE();
	EXPECT(&arrived[t], 4);
	cluster.sync();
	SEND_WORD(&words[t], 10 * rank + t, &arrived[t], rank ^ 1);
	for (unsigned k = 2 - WAITED_FOR; k < 2; k++)
		WAIT(&arrived[k], 0);
	if (t == 0)
		out[rank] = words[1] + words[0]; // BUG: racecheck
	cluster.sync();
}

int main()
{
	unsigned *out = device_zeros<unsigned>(2);
	exchange<<<2, 2>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
}
