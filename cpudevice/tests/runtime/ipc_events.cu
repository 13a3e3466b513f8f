// A test for the CPU device only.
// Events of one process, recorded and waited for by another. A host function that waits at a gate holds a stream up, so that it is
// known what cannot have happened yet.
#include <check.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include "peer.cuh"
#include "suite.h"

enum { N = 100000, FLAGS = cudaEventInterprocess | cudaEventDisableTiming };

__global__ void fill(int *x, int plus)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        x[i] = 2 * i + plus;
}

__global__ void triple(int *x)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        x[i] *= 3;
}

static void holds(const int *x, int factor, int plus, cudaStream_t s)
{
    static int got[N];
    int wrong = 0;
    OK(cudaMemcpyAsync(got, x, sizeof got, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    for (int i = 0; i < N; i++)
        wrong += got[i] != factor * (2 * i + plus);
    IS(wrong, 0);
}

static cudaStream_t new_stream()
{
    cudaStream_t s;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return s;
}

static int gate[2]; // a pipe

static void CUDART_CB wait_at_gate(void *)
{
    char c;
    while (read(gate[0], &c, 1) != 1)
        ;
}

static void open_gate()
{
    usleep(50000); // what does not wait as it should goes ahead
    IS(write(gate[1], "", 1), 1);
}

static void send_event(const peer *p, cudaEvent_t event)
{
    cudaIpcEventHandle_t handle;
    OK(cudaIpcGetEventHandle(&handle, event));
    say(p, &handle, sizeof handle);
}

static cudaEvent_t hear_event(const peer *p)
{
    cudaIpcEventHandle_t handle;
    cudaEvent_t event;
    hear(p, &handle, sizeof handle);
    OK(cudaIpcOpenEventHandle(&event, handle));
    return event;
}

static cudaEvent_t new_event()
{
    cudaEvent_t event;
    OK(cudaEventCreateWithFlags(&event, FLAGS));
    return event;
}

static int *send_memory(const peer *p)
{
    int *x;
    cudaIpcMemHandle_t handle;
    OK(cudaMalloc(&x, N * sizeof *x));
    OK(cudaMemset(x, 0, N * sizeof *x));
    OK(cudaIpcGetMemHandle(&handle, x));
    say(p, &handle, sizeof handle);
    return x;
}

static int *hear_memory(const peer *p)
{
    int *x;
    cudaIpcMemHandle_t handle;
    hear(p, &handle, sizeof handle);
    OK(cudaIpcOpenMemHandle((void **)&x, handle, cudaIpcMemLazyEnablePeerAccess));
    return x;
}

// The one fills, the other triples, the one reads; only events order this, and each event is recorded by both.
static void other_order(const peer *p)
{
    int *x = hear_memory(p);
    cudaEvent_t there = hear_event(p), back = hear_event(p);
    cudaStream_t s = new_stream(), t = new_stream();
    for (int round = 0; round < 3; round++) {
        OK(cudaEventQuery(back));
        meet(p); // it has recorded
        IS(cudaEventQuery(there), cudaErrorNotReady);
        OK(cudaStreamWaitEvent(s, there, 0));
        triple<<<4, 64, 0, s>>>(x);
        OK(cudaEventRecord(back, s));
        IS(cudaEventQuery(back), cudaErrorNotReady);
        IS(cudaStreamQuery(s), cudaErrorNotReady);
        meet(p); // opens the gate
        OK(cudaEventSynchronize(back));
        holds(x, 3, round, t);
        meet(p);
        IS(cudaEventQuery(there), cudaErrorNotReady);
        meet(p); // opens the gate again
        OK(cudaEventSynchronize(there));
        holds(x, 1, 100 + round, t);
        meet(p);
    }
    OK(cudaEventDestroy(there));
    OK(cudaEventDestroy(back));
}

START_TEST(test_order)
{
    const peer p = other("order");
    int *x = send_memory(&p);
    cudaEvent_t there = new_event(), back = new_event();
    cudaStream_t s = new_stream(), t = new_stream();
    IS(pipe(gate), 0);
    send_event(&p, there);
    send_event(&p, back);
    for (int round = 0; round < 3; round++) {
        OK(cudaLaunchHostFunc(s, wait_at_gate, NULL));
        fill<<<4, 64, 0, s>>>(x, round);
        OK(cudaEventRecord(there, s));
        meet(&p);
        meet(&p); // it has recorded
        IS(cudaEventQuery(back), cudaErrorNotReady);
        OK(cudaStreamWaitEvent(t, back, 0));
        open_gate();
        holds(x, 3, round, t);
        OK(cudaEventQuery(back));
        OK(cudaLaunchHostFunc(s, wait_at_gate, NULL));
        fill<<<4, 64, 0, s>>>(x, 100 + round);
        OK(cudaEventRecord(there, s));
        meet(&p);
        meet(&p);
        open_gate();
        meet(&p);
    }
    ended_well(&p);
}
END_TEST

// A wait is for the record that was the last when it was queued, also if a later one comes true before; and the handle of an
// event whose record is under way is of that record.
static void other_records(const peer *p)
{
    cudaStream_t s = new_stream();
    cudaEvent_t event = hear_event(p);
    IS(cudaEventQuery(event), cudaErrorNotReady);
    OK(cudaStreamWaitEvent(s, event, 0));
    meet(p); // it records anew
    meet(p); // it has
    OK(cudaEventSynchronize(event));
    OK(cudaEventQuery(event));
    usleep(20000);
    IS(cudaStreamQuery(s), cudaErrorNotReady);
    OK(cudaEventDestroy(event)); // the stream waits all the same
    IS(cudaStreamQuery(s), cudaErrorNotReady);
    meet(p); // opens the gate
    OK(cudaStreamSynchronize(s));
}

START_TEST(test_records)
{
    const peer p = other("records");
    cudaStream_t s = new_stream(), t = new_stream();
    cudaEvent_t event = new_event();
    IS(pipe(gate), 0);
    OK(cudaLaunchHostFunc(s, wait_at_gate, NULL));
    OK(cudaEventRecord(event, s));
    send_event(&p, event);
    meet(&p);
    OK(cudaEventRecord(event, t));
    OK(cudaEventSynchronize(event));
    meet(&p);
    meet(&p);
    open_gate();
    ended_well(&p);
    OK(cudaStreamSynchronize(s));
    for (int i = 0; i < 5000; i++) // more than are kept
        OK(cudaEventRecord(event, i % 2 ? s : t));
    OK(cudaEventSynchronize(event));
    OK(cudaEventDestroy(event));
}
END_TEST

static void other_refused(const peer *p)
{
    cudaIpcEventHandle_t handle = {}, again;
    cudaEvent_t event;
    CUevent same;
    IS(cudaIpcOpenEventHandle(&event, handle), cudaErrorInvalidValue);
    hear(p, &handle, sizeof handle);
    CUipcEventHandle driver;
    memcpy(&driver, &handle, sizeof driver);
    OK(cuIpcOpenEventHandle(&same, driver));
    OK(cuEventQuery(same)); // never recorded
    IS(cudaIpcGetEventHandle(&again, same), cudaErrorInvalidResourceHandle);
    OK(cuEventDestroy(same));
    meet(p); // it destroys the event
    meet(p); // it has
    IS(cudaIpcOpenEventHandle(&event, handle), cudaErrorInvalidResourceHandle);
}

START_TEST(test_refused)
{
    const peer p = other("refused");
    cudaEvent_t event = new_event(), own, opened;
    cudaIpcEventHandle_t handle;
    CUipcEventHandle same;
    cudaIpcMemHandle_t memory;
    int value = 0, *x;
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrIpcEventSupport, 0));
    IS(value, 1);
    OK(cudaEventCreateWithFlags(&own, cudaEventDisableTiming));
    IS(cudaIpcGetEventHandle(&handle, own), cudaErrorInvalidResourceHandle);
    send_event(&p, event);
    OK(cudaIpcGetEventHandle(&handle, event));
    OK(cuIpcGetEventHandle(&same, event));
    IS(memcmp(&same, &handle, sizeof same), 0);
    IS(cudaIpcOpenEventHandle(&opened, handle), cudaErrorDeviceUninitialized);
    OK(cudaMallocAsync((void **)&x, 1000, 0));
    IS(cudaIpcGetMemHandle(&memory, x), cudaErrorInvalidValue);
    OK(cudaFreeAsync(x, 0));
    OK(cudaDeviceSynchronize());
    OK(cudaMalloc(&x, 1000)); // may lie at the same place
    OK(cudaIpcGetMemHandle(&memory, x));
    meet(&p);
    OK(cudaEventDestroy(event));
    meet(&p);
    ended_well(&p);
}
END_TEST

static const struct {
    const char *name;
    void (*play)(const peer *);
} parts[] = {{"order", other_order}, {"records", other_records}, {"refused", other_refused}};

int main(int count, char **arguments)
{
    for (const auto &part : parts)
        if (count == 4 && !strcmp(arguments[1], part.name)) {
            const peer p = {0, atoi(arguments[2]), atoi(arguments[3])};
            plays_a_part = true;
            part.play(&p);
            return 0;
        }
    Suite *suite = suite_create("cpudevice: events between processes");
    TCase *tests = tcase_create("events between processes");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, test_order);
    tcase_add_test(tests, test_records);
    tcase_add_test(tests, test_refused);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
