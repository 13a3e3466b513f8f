// 5: error: a host function call cannot be configured
void f(int *p) { p[0] = 1; }
int main()
{
    f<<<1, 1>>>(nullptr);
}
