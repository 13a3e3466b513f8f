// 8: error: identifier "g" is undefined in device code
// 9: error: identifier "table" is undefined in device code
// 9: error: identifier "rows" is undefined in device code
// 17: error: identifier "first" is undefined in device code
int g = 3, columns;
static float table[2][2] = {{1, 2}, {3, 4}}, *rows;
const int four = 4;
__device__ int read() { return g + g; }
__global__ void k(float *a) { a[0] = four * table[1][threadIdx.x] + rows[0]; }
int main()
{
    int columns = read == nullptr; // the host's own business
    table[0][0] = (float)(columns + ::columns);
    return 0;
}
int first = 1, second = first, *third = &first;
__global__ void from_first(int *p) { *p = first; }
