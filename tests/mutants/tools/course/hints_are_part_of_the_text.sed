# file: tools/course/say_texts.c
# test: tests/notes/chinese_words.sh
s/if (hint_at(p)) {/if (0) {/
