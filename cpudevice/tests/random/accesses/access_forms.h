/* access_forms.h: the forms of access that random_accesses.c draws from, in families of forms and the types they take.
 *
 * In a form's text T is the type, P an address in the array whose accesses are logged, Q one that lies TO bytes further on, and V an int that
 * the compiler does not know. `n` is 3, `acc` is an int that the program keeps. A form says how many objects of type T, one behind the other, it
 * reads and writes at P, how many it writes at Q, and how many atomics it makes at P. */
#ifndef ACCESS_FORMS_H
#define ACCESS_FORMS_H

typedef struct {
    const char *name;
    unsigned size, align; /* bytes */
} Type;

typedef struct {
    const char *text;
    unsigned reads, writes, copies, atomics;
} Form;

enum { IN_GLOBAL = 1, IN_SHARED = 2, IN_KERNELS = 3, ON_HOST = 4, ANYWHERE = 7 };

typedef struct {
    const Form *forms;
    const Type *types;
    unsigned n_forms, n_types;
    unsigned where; /* the array may lie, or the code may stand */
    unsigned weight;
} Family;

/* ---- types ---- */

static const Type structs[] = {
    {"One", 4, 4},         {"Two", 8, 4},       {"Three", 12, 4},         {"Eight", 32, 4},
    {"Bytes", 3, 1},       {"Five", 5, 1},      {"Short", 6, 2},          {"Padded", 8, 4},
    {"Long", 16, 8},       {"Word", 4, 4},      {"Bits", 4, 4},           {"Nested", 20, 4},
    {"Derived", 12, 4},    {"Aligned", 32, 16}, {"char2", 2, 2},          {"uchar3", 3, 1},
    {"uchar4", 4, 4},      {"short3", 6, 2},    {"ushort4", 8, 8},        {"int3", 12, 4},
    {"float2", 8, 8},      {"float3", 12, 4},   {"float4", 16, 16},       {"double2", 16, 16},
    {"longlong2", 16, 16}, {"half2", 4, 4},     {"__nv_bfloat162", 4, 4}, {"cuFloatComplex", 8, 8},
    {"dim3", 12, 4}};
static const Type numbers[] = {
    {"char", 1, 1},  {"unsigned char", 1, 1}, {"short", 2, 2},        {"int", 4, 4},  {"unsigned", 4, 4},
    {"float", 4, 4}, {"long", 8, 8},          {"double", 8, 8},       {"half", 2, 2}, {"unsigned long long", 8, 8},
    {"bool", 1, 1},  {"__int128", 16, 16},    {"__nv_bfloat16", 2, 2}};
static const Type integers[] = {{"char", 1, 1}, {"short", 2, 2}, {"int", 4, 4}, {"unsigned", 4, 4}, {"long", 8, 8}};
static const Type cached[] = {{"char", 1, 1},   {"short", 2, 2},    {"int", 4, 4},    {"unsigned long long", 8, 8},
                              {"float", 4, 4},  {"double", 8, 8},   {"uchar4", 4, 4}, {"short2", 4, 4},
                              {"float2", 8, 8}, {"float4", 16, 16}, {"int4", 16, 16}, {"double2", 16, 16},
                              {"half", 2, 2},   {"half2", 4, 4}};
static const Type words[] = {{"int", 4, 4}, {"unsigned", 4, 4}, {"unsigned long long", 8, 8}};
static const Type added[] = {{"int", 4, 4},   {"unsigned", 4, 4},     {"unsigned long long", 8, 8},
                             {"float", 4, 4}, {"double", 8, 8},       {"half", 2, 2},
                             {"half2", 4, 4}, {"__nv_bfloat16", 2, 2}};
static const Type unsigned_word[] = {{"unsigned", 4, 4}};
static const Type int_word[] = {{"int", 4, 4}};
static const Type float_word[] = {{"float", 4, 4}};
static const Type double_word[] = {{"double", 8, 8}};
static const Type u64_word[] = {{"unsigned long long", 8, 8}};
static const Type halves[] = {{"half", 2, 2}, {"__nv_bfloat16", 2, 2}};
static const Type half_pairs[] = {{"half2", 4, 4}, {"__nv_bfloat162", 4, 4}};
static const Type complex_floats[] = {{"cuFloatComplex", 8, 8}};
static const Type passed[] = {{"int", 4, 4},    {"double", 8, 8},   {"Two", 8, 4},
                              {"Three", 12, 4}, {"float4", 16, 16}, {"Eight", 32, 4}};
static const Type shuffled[] = {{"int", 4, 4}, {"unsigned", 4, 4}, {"float", 4, 4}, {"double", 8, 8}};
static const Type small_floats[] = {{"__nv_fp8_e4m3", 1, 1}, {"__nv_fp8_e5m2", 1, 1}};
static const Type pieces[] = {{"Bytes4", 4, 4}, {"Bytes8", 8, 8}, {"Bytes16", 16, 16}};

/* ---- forms ---- */

static const Form of_structs[] = {
    /* a function returns it */
    {"*(T *)(P) = make<T>(V);", 0, 1, 0, 0},
    {"*(T *)(P) = n ? make<T>(V) : make<T>(n);", 0, 1, 0, 0},
    {"((T *)(P))[0] = make<T>(V);", 0, 1, 0, 0},
    {"(*(T (*)[2])(P))[1] = make<T>(V), *(T *)(P) = make<T>(n);", 0, 2, 0, 0},
    {"T t = make<T>(V); *(T *)(P) = t;", 0, 1, 0, 0},
    {"T t[2] = {make<T>(V), make<T>(n)}; *(T *)(P) = t[n & 1];", 0, 1, 0, 0},
    {"T &r = *(T *)(P); r = make<T>(V);", 0, 1, 0, 0},
    {"T *q = (T *)(P); *q = make<T>(V), q[1] = make<T>(n);", 0, 2, 0, 0},
    {"T *q = (T *)(P); *q++ = make<T>(V); *q = make<T>(n);", 0, 2, 0, 0},
    {"T (*volatile f)(int) = make<T>; *(T *)(P) = f(V);", 0, 1, 0, 0},
    {"auto f = [](int v) { return make<T>(v); }; *(T *)(P) = f(V);", 0, 1, 0, 0},
    {"Maker<T> k{V}; *(T *)(P) = k();", 0, 1, 0, 0},
    {"*(T *)(P) = deep<T>(V, 3);", 0, 1, 0, 0},
    {"place<T>(P) = make<T>(V);", 0, 1, 0, 0},
    {"*(n ? (T *)(P) : (T *)(Q)) = make<T>(V);", 0, 1, 0, 0},
    {"for (int k = 0; k < n - 1; k++) ((T *)(P))[k] = make<T>(k);", 0, 2, 0, 0},
    /* it is made in place */
    {"new ((void *)(P)) T(make<T>(V));", 0, 1, 0, 0},
    {"new ((void *)(P)) Pair<T>{make<T>(V), make<T>(n)};", 0, 2, 0, 0},
    {"new ((void *)(P)) Held<T>(V);", 0, 2, 0, 0},
    {"*(Pair<T> *)(P) = {make<T>(V), make<T>(n)};", 0, 2, 0, 0},
    {"*(Pair<T> *)(P) = Pair<T>{make<T>(V), make<T>(n)};", 0, 2, 0, 0},
    {"((Pair<T> *)(P))->b = make<T>(V), ((Pair<T> *)(P))->a = make<T>(n);", 0, 2, 0, 0},
    {"T Pair<T>::*m = &Pair<T>::a; ((Pair<T> *)(P))->*m = make<T>(V);", 0, 1, 0, 0},
    {"((Ended<T> *)(P))->~Ended();", 0, 1, 0, 0},
    {"((Owner<T> *)(P))->set(make<T>(V));", 0, 1, 0, 0},
    {"*(Owner<T> *)(P) = make<T>(V);", 0, 1, 0, 0},
    {"T t = make<T>(V); memcpy(P, &t, sizeof t);", 0, 1, 0, 0},
    {"T t = make<T>(V); __builtin_memcpy(P, &t, sizeof t);", 0, 1, 0, 0},
    {"memset(P, V, sizeof(T));", 0, 1, 0, 0},
    {"memset(P, V, (n - 1) * sizeof(T));", 0, 2, 0, 0},
    {"fill(*(T *)(P), V);", 0, 1, 0, 0},
    /* a function takes it */
    {"acc += take(*(T *)(P));", 1, 0, 0, 0},
    {"acc += take(((const T *)(P))[0]);", 1, 0, 0, 0},
    {"T t = *(T *)(P); acc += take(t);", 1, 0, 0, 0},
    {"T t(*(T *)(P)); acc += take(t);", 1, 0, 0, 0},
    {"T t{*(const T *)(P)}; acc += take(t);", 1, 0, 0, 0},
    {"acc += take_all(*(T *)(P), n, ((T *)(P))[1]);", 2, 0, 0, 0},
    {"acc += take(((Pair<T> *)(P))->a) + take(((Pair<T> *)(P))->b);", 2, 0, 0, 0},
    {"auto [a, b] = *(Pair<T> *)(P); acc += take(a) + take(b);", 2, 0, 0, 0},
    {"for (T t : *(T (*)[2])(P)) acc += take(t);", 2, 0, 0, 0},
    {"acc += ((Owner<T> *)(P))->taken();", 1, 0, 0, 0},
    {"T t = *(Owner<T> *)(P); acc += take(t);", 1, 0, 0, 0},
    {"Catcher<T> f{*(T *)(P)}; acc += f();", 1, 0, 0, 0},
    {"T t; memcpy(&t, P, sizeof t); acc += take(t);", 1, 0, 0, 0},
    {"if (take(*(T *)(P)) > n) acc++;", 1, 0, 0, 0},
    {"while (take(*(T *)(P)) > 1000) acc++;", 1, 0, 0, 0},
    {"switch (take(*(T *)(P))) { case 1: acc++; }", 1, 0, 0, 0},
    {"acc += take(n ? *(T *)(P) : make<T>(n));", 1, 0, 0, 0},
    {"acc += take(same(*(T *)(P)));", 1, 0, 0, 0},
    /* both */
    {"((T *)(P))[0] = change(((T *)(P))[0]);", 1, 1, 0, 0},
    {"*(T *)(P) = make<T>(take(*(T *)(P)));", 1, 1, 0, 0},
    {"exchange(((T *)(P))[0], ((T *)(P))[1]);", 2, 2, 0, 0},
    {"*(T *)(Q) = *(T *)(P);", 1, 0, 1, 0},
    {"T *q = (T *)(Q); const T *from = (const T *)(P); q[0] = from[0], q[1] = from[1];", 2, 0, 2, 0},
    {"*(Pair<T> *)(Q) = *(Pair<T> *)(P);", 2, 0, 2, 0},
    {"new ((void *)(Q)) T(*(T *)(P));", 1, 0, 1, 0},
    {"new ((void *)(Q)) Pair<T>(*(Pair<T> *)(P));", 2, 0, 2, 0},
    {"*(T *)(Q) = change(*(T *)(P));", 1, 0, 1, 0},
    {"*(T *)(Q) = n ? *(T *)(P) : make<T>(V);", 1, 0, 1, 0},
    {"memcpy(Q, P, sizeof(T));", 1, 0, 1, 0},
    {"memcpy(Q, P, (n - 1) * sizeof(T));", 2, 0, 2, 0},
    {"for (int k = 0; k < 2; k++) ((T *)(Q))[k] = ((const T *)(P))[k];", 2, 0, 2, 0},
};
/* which the checker does not see on the host, where the compiler knows no types */
static const Form of_structs_in_kernels[] = {
    {"*(T *)(P) = (acc++, make<T>(V));", 0, 1, 0, 0},
    {"*(T *)(P) = (make<T>(V));", 0, 1, 0, 0},
    {"Maker<T> k{V}; *(T *)(P) = k;", 0, 1, 0, 0},
    {"const T &r = *(T *)(P); acc += take(r);", 1, 0, 0, 0},
    {"Taker k; acc += k.take(*(T *)(P));", 1, 0, 0, 0},
    {"int (*volatile f)(T) = take<T>; acc += f(*(T *)(P));", 1, 0, 0, 0},
    {"int (*f[2])(T) = {take<T>, take<T>}; acc += f[n & 1](*(T *)(P));", 1, 0, 0, 0},
    {"Pointers<T> k = {take<T>}; acc += k.taken_by(*(T *)(P));", 1, 0, 0, 0},
    {"auto f = [&](T t) { return take(t) + n; }; acc += f(*(T *)(P));", 1, 0, 0, 0},
    {"acc += *(T *)(P) ^ ((T *)(P))[1];", 2, 0, 0, 0},
    {"acc += take((acc++, *(T *)(P)));", 1, 0, 0, 0},
};
static const Form of_numbers[] = {
    {"*(T *)(P) = (T)V;", 0, 1, 0, 0},
    {"*(T *)(P) = (T)(acc + V);", 0, 1, 0, 0},
    {"acc += (int)((T *)(P))[0];", 1, 0, 0, 0},
    {"acc += (int)*(const T *__restrict__)(P);", 1, 0, 0, 0},
    {"set_number(*(T *)(P), V);", 0, 1, 0, 0},
    {"struct S { T t; } s = {(T)V}; *(S *)(P) = s;", 0, 1, 0, 0},
    {"T t[3] = {(T)V, (T)n, (T)acc}; for (int k = 0; k < 3; k++) ((T *)(P))[k] = t[k];", 0, 3, 0, 0},
    {"for (int k = 0; k < 4; k++) acc += (int)((T *)(P))[k];", 4, 0, 0, 0},
    {"for (int k = n; k >= 0; k--) ((T *)(P))[k] = (T)k;", 0, 4, 0, 0},
    {"for (int k = 0; k < 4; k++) ((T *)(Q))[k] = ((const T *)(P))[k];", 4, 0, 4, 0},
    {"*(T *)(Q) = *(T *)(P);", 1, 0, 1, 0},
    {"T &r = *(T *)(P); *(T *)(Q) = r, r = (T)V;", 1, 1, 1, 0},
    {"acc += n && (int)*(T *)(P) ? 1 : 2;", 1, 0, 0, 0},
    {"acc += !n && (int)*(T *)(P) ? 1 : 2;", 0, 0, 0, 0},
    {"acc += n || (int)*(T *)(P) ? 1 : 2;", 0, 0, 0, 0},
    {"T t = *(T *)(P); *(T *)(P) = (T)V; acc += (int)t;", 1, 1, 0, 0},
    {"memcpy(Q, P, 3 * sizeof(T));", 3, 0, 3, 0},
    {"memset(P, 0, 3 * sizeof(T));", 0, 3, 0, 0},
};
static const Form of_integers[] = {
    {"*(volatile T *)(P) = (T)V;", 0, 1, 0, 0},
    {"acc += (int)*(volatile T *)(P);", 1, 0, 0, 0},
    {"*(T *)(P) += (T)V;", 1, 1, 0, 0},
    {"*(T *)(P) <<= 1;", 1, 1, 0, 0},
    {"((T *)(P))[n & 0]++;", 1, 1, 0, 0},
    {"--*(T *)(P);", 1, 1, 0, 0},
    {"T *q = (T *)(P); acc += (int)*q++ + (int)*q;", 2, 0, 0, 0},
    {"++((Pair<T> *)(P))->b, ((Pair<T> *)(P))->a -= 2;", 2, 2, 0, 0},
    {"for (int k = 0; k < 4; k++) ((T *)(P))[k] += (T)(k + 1);", 4, 4, 0, 0},
    {"acc += n & (int)*(T *)(P) ? 1 : 2;", 1, 0, 0, 0},
    {"acc += ((T *)(P))[0] < ((T *)(P))[1];", 2, 0, 0, 0},
    {"printf(\"\", *(T *)(P));", 1, 0, 0, 0},
};
/* that pass the first-level cache by, or the like */
static const Form of_cached[] = {
    {"acc += take(__ldg((const T *)(P)));", 1, 0, 0, 0},  {"acc += take(__ldcg((const T *)(P)));", 1, 0, 0, 0},
    {"acc += take(__ldca((const T *)(P)));", 1, 0, 0, 0}, {"acc += take(__ldcs((const T *)(P)));", 1, 0, 0, 0},
    {"acc += take(__ldlu((const T *)(P)));", 1, 0, 0, 0}, {"acc += take(__ldcv((const T *)(P)));", 1, 0, 0, 0},
    {"__stwb((T *)(P), make<T>(V));", 0, 1, 0, 0},        {"__stcg((T *)(P), make<T>(V));", 0, 1, 0, 0},
    {"__stcs((T *)(P), make<T>(V));", 0, 1, 0, 0},        {"__stwt((T *)(P), make<T>(V));", 0, 1, 0, 0},
    {"__stcs((T *)(Q), __ldg((T *)(P)));", 1, 0, 1, 0},
};
static const Form of_atomics[] = {
    {"acc += (int)atomicAdd((T *)(P), (T)V);", 0, 0, 0, 1},
    {"acc += (int)atomicMin((T *)(P), (T)V);", 0, 0, 0, 1},
    {"acc += (int)atomicMax((T *)(P), (T)V);", 0, 0, 0, 1},
    {"atomicAnd((T *)(P), (T)V);", 0, 0, 0, 1},
    {"atomicOr((T *)(P), (T)V);", 0, 0, 0, 1},
    {"atomicXor((T *)(P), (T)V);", 0, 0, 0, 1},
    {"acc += (int)atomicExch((T *)(P), (T)V);", 0, 0, 0, 1},
    {"acc += (int)atomicCAS((T *)(P), (T)n, (T)V);", 0, 0, 0, 1},
    {"atomicAdd_block((T *)(P), (T)V);", 0, 0, 0, 1},
    {"atomicMax_system((T *)(P), (T)V);", 0, 0, 0, 1},
    {"cuda::atomic_ref<T, cuda::thread_scope_device> a(*(T *)(P)); acc += (int)a.fetch_add((T)V);", 0, 0, 0, 1},
    {"cuda::atomic_ref<T, cuda::thread_scope_block> a(*(T *)(P)); acc += (int)a.load();", 1, 0, 0, 0},
    {"cuda::atomic_ref<T> a(*(T *)(P)); a.store((T)V, cuda::memory_order_release);", 0, 1, 0, 0},
    {"cuda::atomic_ref<T> a(*(T *)(P)); acc += (int)a.exchange((T)V); cuda::atomic_ref<T> b(((T *)(P))[1]); b++;", 0, 0,
     0, 2},
    {"cuda::atomic_ref<T> a(*(T *)(P)); T e = (T)n; acc += a.compare_exchange_strong(e, (T)V);", 0, 0, 0, 1},
    {"auto *a = (cuda::atomic<T> *)(P); a->fetch_or((T)V); acc += (int)a->load();", 1, 0, 0, 1},
    {"auto *a = (cuda::atomic<T> *)(P); *a = (T)V; acc += (int)*a;", 1, 1, 0, 0},
};
static const Form of_added[] = {
    {"atomicAdd((T *)(P), make<T>(V));", 0, 0, 0, 1},
    {"T t = atomicAdd((T *)(P), make<T>(V)); acc += take(t);", 0, 0, 0, 1},
};
static const Form of_unsigned[] = {
    {"acc += atomicInc((T *)(P), V);", 0, 0, 0, 1},
    {"atomicDec((T *)(P), V);", 0, 0, 0, 1},
    {"T u; asm volatile(\"ld.u32 %0, [%1];\" : \"=r\"(u) : \"l\"(P)); acc += u;", 1, 0, 0, 0},
    {"T u; asm(\"ld.relaxed.gpu.u32 %0, [%1];\" : \"=r\"(u) : \"l\"(P)); acc += u;", 1, 0, 0, 0},
    {"T u; asm volatile(\"ld.acquire.sys.u32 %0, [%1];\" : \"=r\"(u) : \"l\"(P)); acc += u;", 1, 0, 0, 0},
    {"T u; asm volatile(\"ld.volatile.u32 %0, [%1];\" : \"=r\"(u) : \"l\"(P)); acc += u;", 1, 0, 0, 0},
    {"asm volatile(\"st.u32 [%0], %1;\" ::\"l\"(P), \"r\"(V) : \"memory\");", 0, 1, 0, 0},
    {"asm volatile(\"st.release.gpu.u32 [%0], %1;\" ::\"l\"(P), \"r\"(V) : \"memory\");", 0, 1, 0, 0},
    {"asm volatile(\"st.volatile.u32 [%0], %1;\" ::\"l\"(P), \"r\"(V) : \"memory\");", 0, 1, 0, 0},
    {"asm volatile(\"red.add.u32 [%0], %1;\" ::\"l\"(P), \"r\"(V) : \"memory\");", 0, 0, 0, 1},
    {"asm volatile(\"red.relaxed.gpu.max.u32 [%0], %1;\" ::\"l\"(P), \"r\"(V) : \"memory\");", 0, 0, 0, 1},
    {"T u; asm volatile(\"atom.add.u32 %0, [%1], %2;\" : \"=r\"(u) : \"l\"(P), \"r\"(V)); acc += u;", 0, 0, 0, 1},
    {"T u; asm volatile(\"atom.acquire.gpu.cas.b32 %0, [%1], %2, %3;\" : \"=r\"(u) : \"l\"(P), \"r\"(n), \"r\"(V)); "
     "acc += u;",
     0, 0, 0, 1},
    {"T u; asm volatile(\"{ .reg .u32 x; ld.u32 x, [%1]; add.u32 %0, x, 1; st.u32 [%2], %0; }\" : \"=r\"(u) : "
     "\"l\"(P), \"l\"(Q)); acc += u;",
     1, 0, 1, 0},
    {"if (n == -1) asm volatile(\"st.u32 [%0], %1;\" ::\"l\"(P), \"r\"(V) : \"memory\");", 0, 0, 0, 0},
};
static const Form of_floats[] = {
    {"acc += modff((float)V, (T *)(P));", 0, 1, 0, 0},
    {"sincosf(V, (T *)(P), (T *)(P) + 1);", 0, 2, 0, 0},
    {"sincosf(V, (T *)(P), (T *)(Q));", 0, 1, 1, 0},
    {"sincospif(V, (T *)(P), (T *)(P) + 1);", 0, 2, 0, 0},
    {"__sincosf(V, (T *)(P), (T *)(P) + 1);", 0, 2, 0, 0},
    {"asm volatile(\"st.f32 [%0+4], %1;\" ::\"l\"((P) - 4), \"f\"((float)V) : \"memory\");", 0, 1, 0, 0},
    {"asm volatile(\"red.add.f32 [%0], %1;\" ::\"l\"(P), \"f\"((float)V) : \"memory\");", 0, 0, 0, 1},
    {"acc += (int)fmaxf(*(T *)(P), ((T *)(P))[1]);", 2, 0, 0, 0},
};
static const Form of_ints[] = {
    {"acc += frexpf((float)V, (T *)(P));", 0, 1, 0, 0},
    {"acc += frexp((double)V, (T *)(P));", 0, 1, 0, 0},
    {"acc += remquof((float)V, 3, (T *)(P));", 0, 1, 0, 0},
    {"acc += remquo((double)V, 3, (T *)(P));", 0, 1, 0, 0},
    {"acc += __popc(((T *)(P))[0]) + __clz(((T *)(P))[1]);", 2, 0, 0, 0},
};
static const Form of_doubles[] = {
    {"acc += modf((double)V, (T *)(P));", 0, 1, 0, 0},
    {"sincos(V, (T *)(P), (T *)(P) + 1);", 0, 2, 0, 0},
    {"sincospi(V, (T *)(P), (T *)(Q));", 0, 1, 1, 0},
    {"T u; asm(\"ld.f64 %0, [%1];\" : \"=d\"(u) : \"l\"(P)); acc += (int)u;", 1, 0, 0, 0},
};
static const Form of_u64[] = {
    {"T u; asm(\"ld.b64 %0, [%1];\" : \"=l\"(u) : \"l\"(P)); acc += (int)u;", 1, 0, 0, 0},
    {"asm volatile(\"st.v2.u32 [%0], {%1, %2};\" ::\"l\"(P), \"r\"(V), \"r\"(n) : \"memory\");", 0, 1, 0, 0},
    {"unsigned u, w; asm(\"ld.v2.u32 {%0, %1}, [%2];\" : \"=r\"(u), \"=r\"(w) : \"l\"(P)); acc += u + w;", 1, 0, 0, 0},
    {"float u, w; asm(\"ld.v2.f32 {%0, %1}, [%2];\" : \"=f\"(u), \"=f\"(w) : \"l\"(P)); acc += (int)(u + w);", 1, 0, 0,
     0},
    {"T u; asm volatile(\"atom.exch.b64 %0, [%1], %2;\" : \"=l\"(u) : \"l\"(P), \"l\"((T)V)); acc += (int)u;", 0, 0, 0,
     1},
};
/* read at P; where they are written is not logged */
static const Form of_pieces[] = {
    {"acc += asynchronous<T>(P);", 1, 0, 0, 0},
    {"for (int k = 0; k < 2; k++) acc += asynchronous<T>((T *)(P) + k);", 2, 0, 0, 0},
};
static const Form of_halves[] = {
    {"acc += (int)(float)(*(T *)(P) + ((T *)(P))[1]);", 2, 0, 0, 0},
    {"*(T *)(P) = *(T *)(P) * ((T *)(P))[1];", 2, 1, 0, 0},
    {"*(T *)(P) += ((T *)(P))[1];", 2, 1, 0, 0},
    {"*(T *)(P) = -*(T *)(P);", 1, 1, 0, 0},
    {"acc += ((T *)(P))[0] < ((T *)(P))[1];", 2, 0, 0, 0},
    {"*(T *)(Q) = __hadd(((T *)(P))[0], ((T *)(P))[1]);", 2, 0, 1, 0},
    {"acc += __hgt(((T *)(P))[0], ((T *)(P))[1]);", 2, 0, 0, 0},
    {"*(T *)(P) = (T)(float)(V);", 0, 1, 0, 0},
    {"float f = *(T *)(P); acc += (int)f;", 1, 0, 0, 0},
};
static const Form of_half_pairs[] = {
    {"*(T *)(P) = __hadd2(((T *)(P))[0], ((T *)(P))[1]);", 2, 1, 0, 0},
    {"*(T *)(Q) = __hfma2(((T *)(P))[0], ((T *)(P))[1], make<T>(V));", 2, 0, 1, 0},
    {"acc += (int)__low2float(*(T *)(P));", 1, 0, 0, 0},
    {"*(T *)(P) = ((T *)(P))[0] + ((T *)(P))[1];", 2, 1, 0, 0},
};
static const Form of_complex[] = {
    {"acc += (int)cuCrealf(*(T *)(P));", 1, 0, 0, 0},
    {"*(T *)(P) = cuCmulf(((T *)(P))[0], ((T *)(P))[1]);", 2, 1, 0, 0},
    {"acc += (int)cuCabsf(*(T *)(P));", 1, 0, 0, 0},
    {"*(T *)(Q) = cuConjf(*(T *)(P));", 1, 0, 1, 0},
};
static const Form of_groups[] = {
    {"acc += take(cg::coalesced_threads().shfl(*(T *)(P), 0));", 1, 0, 0, 0},
    {"acc += take(cg::coalesced_threads().shfl_down(*(T *)(P), 1));", 1, 0, 0, 0},
    {"acc += take(cg::tiled_partition<1>(cg::this_thread_block()).shfl(*(T *)(P), 0));", 1, 0, 0, 0},
    {"acc += take(cg::reduce(cg::coalesced_threads(), *(T *)(P), Left()));", 1, 0, 0, 0},
    {"acc += take(cg::inclusive_scan(cg::coalesced_threads(), *(T *)(P), Left()));", 1, 0, 0, 0},
    {"*(T *)(P) = cg::coalesced_threads().shfl(make<T>(V), 0);", 0, 1, 0, 0},
    {"acc += take(by_group<T>(P));", 1, 0, 0, 0},
};
static const Form of_shuffles[] = {
    {"acc += take(__shfl_sync(1, *(T *)(P), 0));", 1, 0, 0, 0},
    {"acc += take(__shfl_xor_sync(1, ((T *)(P))[1], 0) + *(T *)(P));", 2, 0, 0, 0},
    {"acc += __any_sync(1, *(T *)(P) > (T)(float)V);", 1, 0, 0, 0},
    {"acc += (int)__nv_atomic_load_n((T *)(P), __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);", 1, 0, 0, 0},
    {"__nv_atomic_store_n((T *)(P), (T)(float)V, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);", 0, 1, 0, 0},
    {"acc += (int)__nv_atomic_fetch_add((T *)(P), (T)(float)V, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);", 0, 0,
     0, 1},
};
static const Form of_small[] = {
    {"acc += (int)(float)*(T *)(P);", 1, 0, 0, 0},
    {"*(T *)(P) = (T)(float)(V);", 0, 1, 0, 0},
    {"*(T *)(Q) = *(T *)(P);", 1, 0, 1, 0},
};
/* exceptions, and what only the host's library has */
static const Form of_host[] = {
    {"try { throw make<T>(V); } catch (T &t) { *(T *)(P) = t; }", 0, 1, 0, 0},
    {"try { throw *(T *)(P); } catch (const T &t) { acc += take(t); }", 1, 0, 0, 0},
    {"try { throw (T *)(P); } catch (T *t) { acc += take(*t); }", 1, 0, 0, 0},
    {"try { throw V; } catch (int v) { *(T *)(P) = make<T>(v); }", 0, 1, 0, 0},
    {"Ended<T> *e = (Ended<T> *)(P); try { struct Guard { Ended<T> *e; ~Guard() { e->~Ended(); } } g{e}; throw 1; } "
     "catch (int) { acc++; }",
     0, 1, 0, 0},
    {"memmove(Q, P, sizeof(T));", 1, 0, 1, 0},
};

/* ---- families ---- */

#define FAMILY(forms, types, where, weight)                                                                            \
    {                                                                                                                  \
        forms, types, sizeof forms / sizeof *forms, sizeof types / sizeof *types, where, weight                        \
    }
static const Family families[] = {
    FAMILY(of_structs, structs, ANYWHERE, 40),      FAMILY(of_structs_in_kernels, structs, IN_KERNELS, 10),
    FAMILY(of_numbers, numbers, ANYWHERE, 12),      FAMILY(of_integers, integers, ANYWHERE, 8),
    FAMILY(of_cached, cached, IN_GLOBAL, 6),        FAMILY(of_atomics, words, IN_KERNELS, 8),
    FAMILY(of_added, added, IN_KERNELS, 2),         FAMILY(of_unsigned, unsigned_word, IN_KERNELS, 6),
    FAMILY(of_floats, float_word, IN_KERNELS, 4),   FAMILY(of_ints, int_word, IN_KERNELS, 2),
    FAMILY(of_doubles, double_word, IN_KERNELS, 2), FAMILY(of_u64, u64_word, IN_KERNELS, 3),
    FAMILY(of_pieces, pieces, IN_GLOBAL, 2),        FAMILY(of_halves, halves, ANYWHERE, 4),
    FAMILY(of_half_pairs, half_pairs, ANYWHERE, 2), FAMILY(of_complex, complex_floats, ANYWHERE, 2),
    FAMILY(of_groups, passed, IN_KERNELS, 3),       FAMILY(of_shuffles, shuffled, IN_KERNELS, 3),
    FAMILY(of_small, small_floats, ANYWHERE, 1),    FAMILY(of_host, structs, ON_HOST, 10),
};

#endif
