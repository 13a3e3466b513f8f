// Several devices: count, current device, memory, streams, events, peers. Expected are the results that NVIDIA's
// documentation of CUDA 13 gives for a machine with so many GPUs.
// BUILD: $cucc -O1 -std=c++17 -o $exe $case
// TEST: four devices
// RUN: CUDA_CPU_DEVICES=4 $exe 4
// TEST: eight devices
// RUN: CUDA_CPU_DEVICES=8 $exe 8
// TEST: one device is the default
// RUN: $exe 1
// TEST: a number of devices that is none
// RUN: CUDA_CPU_DEVICES=two $exe 2
// STATUS: 2
// SAYS: CUDA_CPU_DEVICES must be a number of devices from 1 to 16, not "two"
// TEST: no device is no number of devices
// RUN: CUDA_CPU_DEVICES=0 $exe 1
// STATUS: 2
// TEST: an empty number of devices
// RUN: CUDA_CPU_DEVICES= $exe 1
// STATUS: 2
// TEST: a number with a word behind it
// RUN: CUDA_CPU_DEVICES=2x $exe 2
// STATUS: 2
// TEST: too many devices
// RUN: CUDA_CPU_DEVICES=17 $exe 17
// STATUS: 2
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

static int failures;

#define IS(call, expected)                                                                                             \
    do {                                                                                                               \
        const long got_ = (long)(call), want_ = (long)(expected);                                                      \
        if (got_ != want_ && ++failures)                                                                               \
            printf("%d: %s: %ld, not %ld\n", __LINE__, #call, got_, want_);                                            \
    } while (0)
#define OK(call) IS(call, cudaSuccess)

__global__ void fill(int *p, int value) { p[threadIdx.x] = value + threadIdx.x; }
__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x]; }
__global__ void wait_for(volatile int *flag)
{
    while (!*flag)
        ;
}

static void identity(int n)
{
    int count = 0, device = -1;
    OK(cudaGetDeviceCount(&count));
    IS(count, n);
    OK(cudaGetDevice(&device));
    IS(device, 0);
    IS(cudaSetDevice(n), cudaErrorInvalidDevice);
    IS(cudaSetDevice(-1), cudaErrorInvalidDevice);
    OK(cudaGetDevice(&device));
    IS(device, 0);
    for (int i = 0; i < n; i++) {
        cudaDeviceProp p;
        char id[32];
        OK(cudaGetDeviceProperties(&p, i));
        IS(p.pciBusID, i);
        OK(cudaDeviceGetPCIBusId(id, sizeof id, i));
        OK(cudaDeviceGetByPCIBusId(&device, id));
        IS(device, i);
        OK(cudaSetDevice(i));
        OK(cudaGetDevice(&device));
        IS(device, i);
    }
    cudaDeviceProp p;
    IS(cudaGetDeviceProperties(&p, n), cudaErrorInvalidDevice);
    std::thread([] { // each host thread begins with device 0
        int mine = -1;
        OK(cudaGetDevice(&mine));
        IS(mine, 0);
    }).join();
    OK(cudaGetDevice(&device));
    IS(device, n - 1);
    OK(cudaSetDevice(0));
}

static void peers(int n)
{
    int can = -1;
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    IS(can, 0);
    IS(cudaDeviceCanAccessPeer(&can, 0, n), cudaErrorInvalidDevice);
    IS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
    IS(cudaDeviceEnablePeerAccess(n, 0), cudaErrorInvalidDevice);
    for (int i = 1; i < n; i++) {
        OK(cudaDeviceCanAccessPeer(&can, 0, i));
        IS(can, 1);
        IS(cudaDeviceDisablePeerAccess(i), cudaErrorPeerAccessNotEnabled);
        IS(cudaDeviceEnablePeerAccess(i, 1), cudaErrorInvalidValue);
        OK(cudaDeviceEnablePeerAccess(i, 0));
        IS(cudaDeviceEnablePeerAccess(i, 0), cudaErrorPeerAccessAlreadyEnabled);
        OK(cudaSetDevice(i)); // access goes one way
        IS(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
        OK(cudaSetDevice(0));
        OK(cudaDeviceDisablePeerAccess(i));
        OK(cudaDeviceEnablePeerAccess(i, 0));
    }
}

/* The wrong device is current for a stream or an event. */
static void wrong_device(void)
{
    int *p, device = -1;
    cudaStream_t s;
    cudaEvent_t of0, of1;
    float ms;
    OK(cudaMalloc(&p, 64));
    OK(cudaEventCreate(&of0));
    OK(cudaSetDevice(1));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamGetDevice(s, &device));
    IS(device, 1);
    OK(cudaEventCreate(&of1));
    OK(cudaSetDevice(0));
    fill<<<1, 16, 0, s>>>(p, 0);
    IS(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    OK(cudaMemsetAsync(p, 0, 64, s)); // copies and sets go where their stream is
    IS(cudaEventRecord(of0, s), cudaErrorInvalidResourceHandle);
    OK(cudaEventRecord(of1, s));
    OK(cudaEventRecord(of0, 0));
    OK(cudaStreamWaitEvent(0, of1)); // across devices
    OK(cudaEventSynchronize(of1));
    OK(cudaDeviceSynchronize());
    IS(cudaEventElapsedTime(&ms, of0, of1), cudaErrorInvalidResourceHandle);
    OK(cudaStreamDestroy(s));
    OK(cudaEventDestroy(of0));
    OK(cudaEventDestroy(of1));
    OK(cudaFree(p));
    (void)cudaGetLastError();
}

/* Work of device 1 that does not end holds up neither device 0's default stream nor its synchronize. */
static void apart(void)
{
    int *flag, *p, one = 1, got[16];
    cudaStream_t s;
    OK(cudaMallocHost(&flag, sizeof *flag));
    *flag = 0;
    OK(cudaSetDevice(1));
    wait_for<<<1, 1>>>(flag);
    OK(cudaSetDevice(0));
    OK(cudaStreamCreate(&s));
    OK(cudaMallocAsync(&p, 64, s));
    fill<<<1, 16, 0, s>>>(p, 5);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyAsync(got, p, 64, cudaMemcpyDeviceToHost, 0));
    OK(cudaStreamSynchronize(0));
    IS(got[15], 20);
    OK(cudaFreeAsync(p, s));
    OK(cudaStreamSynchronize(s));
    *(volatile int *)flag = one;
    OK(cudaSetDevice(1));
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(0));
    OK(cudaStreamDestroy(s));
    OK(cudaFreeHost(flag));
}

/* A sum over the devices by one host thread per device, copies between neighbours, and an order made by events. */
static void sum(int n)
{
    std::vector<int *> own(n), inbox(n);
    std::vector<cudaStream_t> stream(n);
    std::vector<cudaEvent_t> ready(n);
    std::vector<std::thread> threads;
    for (int i = 0; i < n; i++)
        threads.emplace_back([&, i] {
            OK(cudaSetDevice(i));
            OK(cudaMalloc(&own[i], 64));
            OK(cudaMalloc(&inbox[i], 64));
            OK(cudaStreamCreate(&stream[i]));
            OK(cudaEventCreate(&ready[i]));
            cudaPointerAttributes a;
            OK(cudaPointerGetAttributes(&a, own[i] + 3));
            IS(a.device, i);
            fill<<<1, 16, 0, stream[i]>>>(own[i], 100 * i);
            OK(cudaEventRecord(ready[i], stream[i]));
        });
    for (auto &t : threads)
        t.join();
    for (int i = 0; i < n; i++) {
        OK(cudaSetDevice(i));
        const int from = (i + n - 1) % n;
        OK(cudaStreamWaitEvent(stream[i], ready[from]));
        OK(cudaMemcpyPeerAsync(inbox[i], i, own[from], from, 64, stream[i]));
    }
    for (int i = 0; i < n; i++) {
        OK(cudaSetDevice(i));
        OK(cudaDeviceSynchronize());
    }
    for (int i = 0; i < n; i++) {
        int got[16];
        OK(cudaSetDevice(i));
        add<<<1, 16, 0, stream[i]>>>(own[i], inbox[i]);
        OK(cudaStreamSynchronize(stream[i]));
        OK(cudaMemcpy(got, own[i], 64, cudaMemcpyDeviceToHost));
        for (int k = 0; k < 16; k++)
            IS(got[k], 100 * i + 100 * ((i + n - 1) % n) + 2 * k);
    }
    IS(cudaMemcpyPeer(inbox[0], 0, own[0], n, 64), cudaErrorInvalidDevice);
    OK(cudaMemcpyPeer(inbox[0], 0, own[n - 1], n - 1, 64));
    for (int i = 0; i < n; i++) {
        OK(cudaSetDevice(i));
        OK(cudaStreamDestroy(stream[i]));
        OK(cudaEventDestroy(ready[i]));
        OK(cudaFree(own[i]));
        OK(cudaFree(inbox[i]));
    }
    OK(cudaSetDevice(0));
}

/* Each device has a default pool, and cudaDeviceSetMemPool() gives it another one. cudaMemPoolSetAccess() opens a pool to the
 * devices that it names. */
static void pools(int n)
{
    cudaMemPool_t first, last, own;
    cudaMemAccessFlags flags;
    cudaMemLocation zero = {cudaMemLocationTypeDevice, {0}}, end = {cudaMemLocationTypeDevice, {n - 1}};
    OK(cudaDeviceGetDefaultMemPool(&first, 0));
    OK(cudaDeviceGetDefaultMemPool(&last, n - 1));
    IS(first == last, n == 1);
    IS(cudaDeviceGetDefaultMemPool(&own, n), cudaErrorInvalidDevice);
    OK(cudaMemPoolGetAccess(&flags, last, &zero));
    IS(flags, n == 1 ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone);
    cudaMemAccessDesc open = {zero, cudaMemAccessFlagsProtReadWrite}, shut = {end, cudaMemAccessFlagsProtNone};
    OK(cudaMemPoolSetAccess(last, &open, 1));
    OK(cudaMemPoolGetAccess(&flags, last, &zero));
    IS(flags, cudaMemAccessFlagsProtReadWrite);
    IS(cudaMemPoolSetAccess(last, &shut, 1), cudaErrorInvalidValue); /* its own device's */
    open.location.id = n;
    IS(cudaMemPoolSetAccess(last, &open, 1), cudaErrorInvalidDevice);

    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = end;
    OK(cudaMemPoolCreate(&own, &props));
    OK(cudaMemPoolGetAccess(&flags, own, &end));
    IS(flags, cudaMemAccessFlagsProtReadWrite);
    OK(cudaDeviceSetMemPool(n - 1, own));
    OK(cudaDeviceGetMemPool(&last, n - 1));
    IS(last == own, true);
    if (n > 1)
        IS(cudaDeviceSetMemPool(0, own), cudaErrorInvalidValue); /* it is another device's */
    IS(cudaDeviceSetMemPool(0, NULL), cudaErrorInvalidValue);
    props.location = {};
    IS(cudaMemPoolCreate(&last, &props), cudaErrorInvalidValue);
    OK(cudaMemPoolDestroy(own));
    OK(cudaDeviceGetMemPool(&last, n - 1));
    IS(last == own, false);
    OK(cudaDeviceGetMemPool(&last, 0));
    IS(last == first, true);
}

/* cudaMallocAsync() takes memory of the stream's device, whichever is current. */
static void pool_of_the_stream(int n)
{
    int *x;
    cudaStream_t stream;
    cudaPointerAttributes p;
    OK(cudaSetDevice(n - 1));
    OK(cudaStreamCreate(&stream));
    OK(cudaSetDevice(0));
    OK(cudaMallocAsync(&x, 64, stream));
    OK(cudaPointerGetAttributes(&p, x));
    IS(p.device, n - 1);
    OK(cudaFreeAsync(x, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamDestroy(stream));
}

/* A reset frees its device's memory and nothing of the others. */
static void reset(void)
{
    int *a, *b;
    cudaPointerAttributes p;
    OK(cudaSetDevice(0));
    OK(cudaMalloc(&a, 64));
    OK(cudaSetDevice(1));
    OK(cudaMalloc(&b, 64));
    OK(cudaDeviceReset());
    OK(cudaPointerGetAttributes(&p, b));
    IS(p.type, cudaMemoryTypeUnregistered);
    OK(cudaPointerGetAttributes(&p, a));
    IS(p.type, cudaMemoryTypeDevice);
    OK(cudaSetDevice(0));
    OK(cudaFree(a));
}

int main(int, char **argv)
{
    const int n = atoi(argv[1]);
    identity(n);
    peers(n);
    sum(n);
    pools(n);
    pool_of_the_stream(n);
    if (n > 1) {
        wrong_device();
        apart();
        reset();
    }
    return failures != 0;
}
