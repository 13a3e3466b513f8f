# file: cpudevice/checker/sync/async_state.h
# test: cpudevice/tests/checker/check_mistakes.sh right/async_sent_side_by_side
s/return (grain_words){a > p .*/return (grain_words){0 * (a + p + bytes), WORDS};/
