# file: tools/course/listing_print.c
# test: tests/course/listings
s/LONG_RUN = 6/LONG_RUN = 60/
