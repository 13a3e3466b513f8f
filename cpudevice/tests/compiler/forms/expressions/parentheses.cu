// dump effects
// rule parentheses: what stands in parentheses is changed like what does not
#define ADD(a, b) ((a) += (b))
__global__ void k(int *p)
{
    int sum = 0, other = 1;
    ((sum)) += 1;
    (other)++;
    p[0] = (sum) + (other);
}
