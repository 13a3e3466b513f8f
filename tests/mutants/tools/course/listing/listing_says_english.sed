# file: tools/course/listing/listing_print.c
# test: tests/course/listings
s/meaning ? say_words(meaning) : NULL/meaning ? copy(meaning) : NULL/
