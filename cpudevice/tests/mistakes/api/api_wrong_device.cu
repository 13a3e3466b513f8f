// A device number that does not exist.
#include "../mistake.h"

int main()
{
#ifdef FIXED
	cudaSetDevice(0);
#else
	cudaSetDevice(99); // BUG: memcheck
#endif
	cudaDeviceSynchronize();
}
