# file: tools/course/listing/listing_print.c
# test: tests/course/listings
s/LONG_RUN = 6/LONG_RUN = 60/
