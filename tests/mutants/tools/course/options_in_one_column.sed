# file: tools/course/say.c
# test: tests/notes/chinese_words.sh
# in Chinese what an option does begins right behind its name
s/wide < column ? column - wide : 1/1/
