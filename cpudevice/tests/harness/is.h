/* is.h: for programs that test without the Check library. IS(expression, expected) and expect(right, what) say what is
 * wrong; main() returns `failed`. */
#ifndef IS_H
#define IS_H

#include <stdio.h>

static int failed;

static inline void is(long long got, long long expected, const char *what, int line)
{
    if (got == expected)
        return;
    printf("line %d: %s is %lld and should be %lld\n", line, what, got, expected);
    failed = 1;
}
#define IS(expression, expected) is((long long)(expression), (long long)(expected), #expression, __LINE__)

static inline void expect(int right, const char *what)
{
    if (!right)
        printf("wrong: %s\n", what), failed = 1;
}

#endif
