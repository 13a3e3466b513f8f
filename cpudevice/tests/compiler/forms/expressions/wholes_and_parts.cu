// dump effects
__global__ void k(float4 *p)
{
    float4 v = p[0], w = p[1];
    v.x = w.y;
    p[2] = w;
    p->x += v.z;
}
