// conversions that nobody writes: where a variable, an element, a member or a bit field is set, where a function returns or
// is given a value, and where a sum is one of floating point
#include "conformance.h"

typedef unsigned char byte;
struct Pixel {
    byte r, g;
    unsigned short wide;
    int low : 6;
};
__device__ unsigned returned(float f) { return f; }
__device__ byte clamped(float f)
{
    if (f > 1e9f)
        return f;
    return 2 * f;
}
__device__ int given(int a, unsigned b) { return a ^ (int)b; }
__global__ void k(long long *out, Pixel *pixels, byte *bytes, const float *in)
{
    int t = threadIdx.x;
    float f = in[t];
    int i = f, j(f * 3), *p = &j;
    unsigned u;
    u = f - 1;
    const unsigned v = -f;
    pixels[t].r = f;
    pixels[t].g = -f;
    pixels[t].wide = f * 100.0;
    pixels[t].low = f;
    bytes[t] = 0.5f * f;
    *p = *p / 2 + 0.75f * f;
    int count = 7;
    count += f;
    count -= 0.5 * f;
    u *= 1.5f;
    int scaled = f;
    scaled *= 1.5f;
    long long s = i;
    s = 3 * s + *p;
    s = 3 * s + u;
    s = 3 * s + v;
    s = 3 * s + count;
    s = 3 * s + returned(f) + clamped(f) + given(f, -f);
    s = 3 * s + pixels[t].r + 256 * pixels[t].g + 3 * pixels[t].wide + 5 * pixels[t].low + 7 * bytes[t];
    out[t] = 3 * s + scaled;
}
static int to_int(double f) { return f != f ? 0 : f >= 2147483648.0 ? 2147483647 : f <= -2147483649.0 ? -2147483647 - 1 : (int)f; }
static unsigned to_unsigned(double f) { return !(f > 0) ? 0 : f >= 4294967296.0 ? ~0u : (unsigned)f; }
int main()
{
    long long *out = managed<long long>(T);
    Pixel *pixels = managed<Pixel>(T);
    byte *bytes = managed<byte>(T);
    float *in = managed<float>(T);
    const float all[] = {0, -5, 255.9f, 300.7f, -300.7f, 70000, 1e10f, -1e10f};
    for (int i = 0; i < T; i++)
        in[i] = i < 8 ? all[i] : (float)(i - 32) * 13.37f;
    k<<<1, T>>>(out, pixels, bytes, in);
    return check(out, T, [&](int t) {
        float f = in[t];
        unsigned u = to_unsigned(f - 1);
        int j = to_int(f * 3), count = to_int(7 + f), low = to_int(f) & 63;
        j = to_int((float)(j / 2) + 0.75f * f);
        count = to_int((double)count - 0.5 * f);
        u = to_unsigned((float)u * 1.5f);
        long long s = to_int(f);
        s = 3 * s + j;
        s = 3 * s + u;
        s = 3 * s + to_unsigned(-f);
        s = 3 * s + count;
        byte c = (byte)(f > 1e9f ? to_unsigned(f) : to_unsigned(2 * f));
        s = 3 * s + to_unsigned(f) + c + (to_int(f) ^ (int)to_unsigned(-f));
        s = 3 * s + (byte)to_unsigned(f) + 256 * (byte)to_unsigned(-f) + 3 * (unsigned short)to_unsigned(f * 100.0) +
            5 * (low >= 32 ? low - 64 : low) + 7 * (byte)to_unsigned(0.5f * f);
        return 3 * s + to_int((float)to_int(f) * 1.5f);
    });
}
