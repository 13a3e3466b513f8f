# file: cpudevice/checker/sync/async_state.h
# test: cpudevice/tests/checker/check_mistakes.sh right/async_sent_side_by_side
s/{a > p ? (unsigned)(a - p) \/ 4 : 0,$/{a > p ? 0 : 0,/
s/a + bytes < p + GRAIN ? (unsigned)(a + bytes - p + 3) \/ 4 : WORDS}/a + bytes < p ? 0 : WORDS}/
