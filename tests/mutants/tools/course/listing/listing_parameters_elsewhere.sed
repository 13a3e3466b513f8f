# file: tools/course/listing/listing_meaning.c
# test: tests/course/listings
s/arch >= 90 ? 0x210/arch > 90 ? 0x210/
