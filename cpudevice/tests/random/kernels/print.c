/* print.c: a program of random kernels: what they all use, each kernel with what it must give, and main. */
#include <stdlib.h>
#include <string.h>

#include "print.h"

void print_prelude(FILE *to, uint64_t seed)
{
    static const char text[] =
        "#include <cooperative_groups.h>\n"
        "#include <cstdio>\n"
        "#include <cstdlib>\n"
        "#include <cstring>\n"
        "namespace cg = cooperative_groups;\n"
        "enum Level : unsigned {};\n"
        "__device__ unsigned seen(Level &l) { return l; }\n"
        "__device__ unsigned seen(const Level &l) { return l ^ 0x5555u; }\n"
        "__device__ unsigned tag(Level *l) { return *l; }\n"
        "__device__ unsigned tag(const Level *l) { return *l ^ 0xaaaau; }\n"
        "template <unsigned v> struct Literal { enum { value = v }; static constexpr unsigned number = v; };\n"
        "struct Held { unsigned char tag; unsigned v[128]; };\n"
        "struct Pack { unsigned x; struct { unsigned y; } in; unsigned a[4]; };\n"
        "struct Built : Pack {\n"
        "    __device__ Built(unsigned x, unsigned y, unsigned a, unsigned b, unsigned c, unsigned d) : Pack{x, {y}, "
        "{a, b, c, d}} {}\n"
        "};\n"
        "struct View { unsigned &a, &b; };\n"
        "struct Slot { unsigned char before; unsigned v; };\n"
        "template <class V> struct Pair { V &first, &second; };\n"
        "__device__ Pack make_pack(unsigned x, unsigned y, unsigned a, unsigned b, unsigned c, unsigned d) { return "
        "{x, {y}, {a, b, c, d}}; }\n"
        "__device__ View make_view(unsigned &a, unsigned &b) { return {a, b}; }\n"
        "__device__ unsigned linear(unsigned x = threadIdx.x) { return x + blockDim.x * (threadIdx.y + blockDim.y * "
        "threadIdx.z); }\n"
        "__device__ unsigned block_number(uint3 b = blockIdx) { return b.x; }\n"
        "struct Tid { __device__ operator unsigned() const { return linear(); } };\n"
        "struct Block { __device__ operator unsigned() const { return blockIdx.x; } };\n"
        "struct Me { unsigned v = linear(); };\n"
        "#define MY_THREAD (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))\n"
        "#define MY_BLOCK (0u + blockIdx.x)\n"
        "struct Flag { unsigned v; __device__ explicit operator bool() const { return v != 0; } };\n"
        "__device__ bool holds(unsigned v) { return v; }\n"
        "struct Soft { unsigned v; __device__ operator unsigned() const { return v; } };\n"
        "struct Wide { unsigned v; __device__ explicit Wide(unsigned v) : v(v) {} };\n"
        "template <char op> __device__ unsigned calculate(unsigned a, unsigned b)\n"
        "{\n"
        "    return op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : op == '^' ? a ^ b : op == '|' ? a | b "
        ": op == '&' ? a & b : b;\n"
        "}\n"
        "template <char op> struct Calculate { __device__ unsigned operator()(unsigned a, unsigned b) const { return "
        "calculate<op>(a, b); } };\n"
        "#define CALCULATE(a, op, b) ((a) op (b))\n"
        "template <char op, class V> __device__ void change(V &v, unsigned e) { v = (V)calculate<op>((unsigned)v, e); "
        "}\n"
        "template <char op, class V> __device__ void change_at(V *v, unsigned e) { change<op>(*v, e); }\n"
        "template <char op> struct Change { template <class V> __device__ void operator()(V &v, unsigned e) const { "
        "change<op>(v, e); } };\n"
        "template <char op> struct Put { unsigned e; };\n"
        "template <class V> struct Holder { V &v; template <char op> __device__ void change(unsigned e) { "
        "::change<op>(v, e); } };\n"
        "template <char op, class V> __device__ V exchange_in(V &v, unsigned e) { V old = v; change<op>(v, e); return "
        "old; }\n"
        "template <class V> __device__ V &reference_to(V &v) { return v; }\n"
        "template <class V> __device__ V &either(bool c, V &a, V &b) { return c ? a : b; }\n"
        "template <class V> __device__ unsigned value_of(const V &v) { return (unsigned)v; }\n"
        "template <class V> __device__ void exchange(V &a, V &b) { V t = a; a = b; b = t; }\n"
        "template <unsigned v> constexpr unsigned constant = v;\n"
        "__device__ unsigned choose(bool c, unsigned a, unsigned b) { return c ? a : b; }\n"
        "__device__ void advance(unsigned &i) { i++; }\n"
        "__device__ void wait_here() { __syncthreads(); }\n"
        "struct Wait { __device__ void operator()() const { __syncthreads(); } };\n"
        "#define BARRIER __syncthreads\n"
        "#define U(v) ((unsigned)(v))\n"
        "#define CHOOSE(c, a, b) ((c) ? (a) : (b))\n"
        "#define CHANGE(v, op, e) ((v) op (e))\n"
        "#define CHANGE_CAREFULLY(v, op, e) do { auto &r_ = (v); r_ op (e); } while (0)\n"
        "#define SWAP(a, b) do { auto t_ = (a); (a) = (b); (b) = t_; } while (0)\n"
        "__device__ unsigned warp_lanes(unsigned t, unsigned threads) { unsigned left = threads - t / 32 * 32; return "
        "left < 32 ? left : 32; }\n"
        "__device__ unsigned warp_mask(unsigned t, unsigned threads) { return 0xffffffffu >> (32 - warp_lanes(t, "
        "threads)); }\n"
        "template <int N> __device__ unsigned tile_sum(unsigned v)\n"
        "{\n"
        "    auto tile = cg::tiled_partition<N>(cg::this_thread_block());\n"
        "    for (int d = N / 2; d; d /= 2) v += tile.shfl_xor(v, d);\n"
        "    return v;\n"
        "}\n";
    static const char operators[] =
        "#define WIDE(op) __device__ Wide operator op(Wide a, const Wide &b) { return Wide(a.v op b.v); }\n"
        "WIDE(+) WIDE(-) WIDE(*) WIDE(^) WIDE(|) WIDE(&)\n"
        "template <char op, class V> __device__ V &operator<<=(V &v, Put<op> p) { return change<op>(v, p.e), v; }\n"
        "template <char op, class V> __device__ V &operator<<(V &v, Put<op> p) { return change<op>(v, p.e), v; }\n"
        "template <char op, class V> __device__ const V &operator<<(const V &v, Put<op>) { return v; }\n"
        "template <char op, class V> __device__ V &operator->*(V &v, Put<op> p) { return v <<= p; }\n";
    fputs(text, to);
    if (has_operators(seed))
        fputs(operators, to);
}

static void print_arrays(Printer *p)
{
    const Kernel *k = p->k;
    unsigned dynamic = 0;
    for (int i = 0; i < k->array_count; i++)
        dynamic += k->arrays[i].kind == DYNAMIC;
    if (dynamic)
        fprintf(p->to, "extern __shared__ unsigned dynamic[];\n");
    dynamic = 0;
    for (int i = 0; i < k->array_count; i++) {
        const Array *a = &k->arrays[i];
        switch (a->kind) {
        case SHARED: fprintf(p->to, "__shared__ unsigned %s[%u];\n", a->name, k->threads); break;
        case SHARED_ROWS: fprintf(p->to, "__shared__ unsigned %s[%u][4];\n", a->name, (k->threads + 3) / 4); break;
        case SHARED_STRUCTS: fprintf(p->to, "__shared__ Slot %s[%u];\n", a->name, k->threads); break;
        case SHARED_VECTORS: fprintf(p->to, "__shared__ uint4 %s[%u];\n", a->name, (k->threads + 3) / 4); break;
        case SHARED_OBJECT: fprintf(p->to, "__shared__ Held %s;\n", a->name); break;
        case DYNAMIC: fprintf(p->to, "unsigned *%s = dynamic + %u;\n", a->name, dynamic++ * k->threads); break;
        default:
            fprintf(p->to, "unsigned *const %s = scratch + (blockIdx.x * %d + %d) * %u;\n", a->name, MAX_ARRAYS, i,
                    k->threads);
        }
    }
}

/* The kernel's parameters besides those that all have, or the arguments of its launch. */
static void print_kernel_parameters(Printer *p, FILE *to, int arguments)
{
    for (const Stmt *s = p->k->body; s; s = s->next) {
        if (s->kind != DECLARE || !s->var->parameter)
            continue;
        if (!arguments)
            fprintf(to, ", %s %s", s->var->kind == STRUCT ? "Pack" : "unsigned", s->var->name);
        else if (s->var->kind == STRUCT)
            fprintf(to, ", Pack{%uu, {%uu}, {%uu, %uu, %uu, %uu}}", s->init[0]->value, s->init[1]->value,
                    s->init[2]->value, s->init[3]->value, s->init[4]->value, s->init[5]->value);
        else
            fprintf(to, ", %uu", s->init[0]->value);
    }
}

static const char *const kernel_heads[KERNEL_FORMS] = {
    "__global__ void kernel%d(", "template <int N> __global__ void kernel%d(",
    "namespace part {\n__global__ void kernel%d(", "static __global__ void __launch_bounds__(128) kernel%d(",
    "template <class V> __global__ void kernel%d("};
static const char *const kernel_names[KERNEL_FORMS] = {"kernel%d", "kernel%d<3>", "part::kernel%d", "kernel%d",
                                                       "kernel%d<unsigned>"};

void print_kernel(FILE *to, Kernel *k, const unsigned *expected)
{
    static const char *const threads[THREAD_FORMS] = {
        "const unsigned tid = MY_THREAD;\n",
        "unsigned tid = linear();\n",
        "const unsigned tid = Tid();\n",
        "const auto tid = Me{}.v;\n",
        "unsigned tid;\ntid = threadIdx.x + blockDim.x * (threadIdx.y + threadIdx.z * blockDim.y);\n",
        "const uint3 at = threadIdx;\nconst unsigned tid = (at.z * blockDim.y + at.y) * blockDim.x + at.x;\n"};
    char *before, *body;
    size_t before_size, body_size;
    int f = k->plain ? 0 : k->template_form, dynamic = 0;
    Printer p = {.k = k, .before = open_memstream(&before, &before_size), .to = open_memstream(&body, &body_size)};
    print_functions(&p);
    fputs(threads[k->plain ? 0 : k->thread_form], p.to);
    print_arrays(&p);
    print_statements(&p, k->body);
    fprintf(p.to, "out[blockIdx.x * %uu + tid] = ", k->threads);
    print_expr(&p, p.to, k->result);
    fputs(";\n", p.to);
    fclose(p.before);
    fclose(p.to);
    fprintf(to, "\n// seed %llu, kernel %d\n%s", (unsigned long long)k->seed, k->number, before);
    fprintf(to, kernel_heads[f], k->number);
    fprintf(to, "unsigned *out, const unsigned *in, unsigned *scratch, unsigned n, unsigned m");
    print_kernel_parameters(&p, to, 0);
    fprintf(to, ")\n{\n%s}\n%s", body, f == 2 ? "} // namespace part\n" : "");
    fprintf(to, "static const unsigned expected%d[] = {", k->number);
    for (unsigned i = 0; i < k->blocks * k->threads; i++)
        fprintf(to, i % 12 ? "%u," : "\n%u,", expected[i]);
    for (int i = 0; i < k->array_count; i++)
        dynamic += k->arrays[i].kind == DYNAMIC;
    fprintf(to, "};\nstatic int run%d(unsigned *out, const unsigned *in, unsigned *scratch)\n{\n    ", k->number);
    fprintf(to, kernel_names[f], k->number);
    fprintf(to, "<<<%u, dim3(%u, %u, %u), %u>>>(out, in, scratch, %uu, %uu", k->blocks, k->x, k->y, k->z,
            (unsigned)dynamic * k->threads * 4, k->parameter[0], k->parameter[1]);
    print_kernel_parameters(&p, to, 1);
    fputs(");\n", to);
    fprintf(to, "    return compare(%d, out, expected%d, %u, %u);\n}\n", k->number, k->number, k->threads, k->blocks);
    free(before);
    free(body);
}

void print_main(FILE *to, Kernel **kernels, int count)
{
    fprintf(to,
            "int main(int argc, char **argv)\n"
            "{\n"
            "    unsigned *out, *in, *scratch;\n"
            "    cudaMallocManaged(&out, %d * 4);\n"
            "    cudaMallocManaged(&in, %d * 4);\n"
            "    cudaMallocManaged(&scratch, %d * 4);\n"
            "    for (unsigned i = 0; i < %d; i++) in[i] = i * 2654435761u ^ i >> 3;\n"
            "    static const struct { int number, (*run)(unsigned *, const unsigned *, unsigned *); } all[] = {\n",
            MAX_THREADS * MAX_BLOCKS, INPUTS, MAX_THREADS * MAX_BLOCKS * MAX_ARRAYS, INPUTS);
    for (int i = 0; i < count; i++)
        fprintf(to, "        {%d, run%d},\n", kernels[i]->number, kernels[i]->number);
    fputs("    };\n"
          "    int wrong = 0, ran = 0;\n"
          "    for (const auto &k : all)\n"
          "        if (argc < 2 || atoi(argv[1]) == k.number) {\n"
          "            memset(out, 0xa5, sizeof(unsigned) * 384);\n"
          "            memset(scratch, 0xa5, sizeof(unsigned) * 1536);\n"
          "            wrong += k.run(out, in, scratch);\n"
          "            ran++;\n"
          "        }\n"
          "    printf(\"%d kernels, %d wrong\\n\", ran, wrong);\n"
          "    cudaFree(out);\n"
          "    cudaFree(in);\n"
          "    cudaFree(scratch);\n"
          "    return wrong != 0;\n"
          "}\n",
          to);
}
