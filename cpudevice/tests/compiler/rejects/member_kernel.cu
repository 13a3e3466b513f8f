// 3: error: A __global__ function or function template cannot be a member function
struct S {
    __global__ void k(int *p) { p[0] = 1; }
};
