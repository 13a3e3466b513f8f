// placement new in shared and local storage, and new and delete on the device's heap
#include <new>
#include "conformance.h"

struct Node {
    int v;
    Node *next;
    __device__ Node(int v, Node *next) : v(v), next(next) {}
};
__global__ void k(int *out)
{
    alignas(Node) char raw[sizeof(Node)];
    Node *first = nullptr;
    for (int i = 0; i <= (int)threadIdx.x % 5; i++)
        first = new Node(i, first);
    Node *local = new (raw) Node(100, first);
    __syncthreads();
    int sum = 0;
    for (Node *n = local; n; n = n->next)
        sum += n->v;
    __syncthreads();
    while (first) {
        Node *next = first->next;
        delete first;
        first = next;
    }
    out[threadIdx.x] = sum;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int n = t % 5;
        return 100 + n * (n + 1) / 2;
    });
}
