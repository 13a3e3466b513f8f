// Right: what a host does with its own memory: vectors, strings, realloc, lines that grow.
#include <algorithm>
#include <map>
#include <string>
#include <vector>
#include "../mistake.h"

__global__ void square(int *x, int n)
{
	int i = threadIdx.x;
	if (i < n) x[i] = i * i % 17;
}

int main()
{
	const int n = 100;
	std::vector<int> v(n);
	int *d, sum = 0;
	CHECK(cudaMalloc(&d, n * sizeof *d));
	square<<<1, 128>>>(d, n);
	CHECK(cudaMemcpy(v.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(d));
	std::map<std::string, int> seen;
	for (int x : v) seen["a key of more than fifteen letters " + std::to_string(x)]++;
	std::sort(v.begin(), v.end());
	v.insert(v.begin(), 20, 7);
	v.shrink_to_fit();
	int *grown = (int *)calloc(7, sizeof *grown);
	grown = (int *)realloc(grown, 200 * sizeof *grown);
	for (int i = 7; i < 200; i++) grown[i] = i;
	for (int i = 0; i < 200; i++) sum += grown[i];
	free(grown);
	FILE *f = tmpfile();
	fputs("a line that is longer than the buffer it is read into was at first\n", f);
	rewind(f);
	size_t capacity = 16;
	char *line = (char *)malloc(capacity);
	while (getline(&line, &capacity, f) > 0) sum += line[40];
	fclose(f);
	free(line);
	return sum < 0 || seen.empty();
}
