// What the host's waits cost on the chip of round figures (round.csv): a launch begins 7 us later if the host has waited for the
// one before, and nothing else was on the device in between. Without a wait: 1 us, and 0.001 for the start of its block.
// BUILD: $cucc --check -o $exe $case
// TEST: the host waits for the launch before
// RUN: modelled; columns kernel launch_us
// PRINTS: 1.001
// PRINTS: 8.001
// PRINTS: 1.001
// PRINTS: 1.001
// PRINTS: 1.001
// PRINTS: 8.001
// PRINTS: 1.001
// PRINTS: 8.001
// TEST: it says what the host's waits cost
// RUN: modelled; cat $work/table
// SAYS: the host waits for the launch before: 2.62 us of this
static __global__ void kernel(float *y) { y[threadIdx.x] = 1; }

int main()
{
	float *y;
	cudaStream_t other;
	cudaEvent_t event;
	cudaMalloc(&y, 32 * sizeof *y);
	cudaStreamCreate(&other);
	cudaEventCreate(&event);
	kernel<<<1, 32>>>(y);
	cudaStreamSynchronize(0);
	kernel<<<1, 32>>>(y);
	kernel<<<1, 32>>>(y); /* no wait */
	cudaStreamSynchronize(other); /* of another stream */
	kernel<<<1, 32>>>(y);
	cudaMemset(y, 0, 32 * sizeof *y); /* a wait for the fill, not for the kernel */
	cudaDeviceSynchronize();
	kernel<<<1, 32>>>(y);
	cudaEventRecord(event);
	cudaEventSynchronize(event);
	kernel<<<1, 32>>>(y);
	cudaEventSynchronize(event); /* it was recorded before that kernel */
	kernel<<<1, 32>>>(y);
	cudaDeviceSynchronize();
	kernel<<<1, 32>>>(y);
	const cudaError_t e = cudaDeviceSynchronize();
	cudaEventDestroy(event);
	cudaStreamDestroy(other);
	cudaFree(y);
	return e != cudaSuccess;
}
