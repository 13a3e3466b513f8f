# caught by: limits
# right, but one thread does everything
s/^    const int begin = min.*$/    const int begin = 0, end = threadIdx.x ? 0 : pairs + 0 * each;/
