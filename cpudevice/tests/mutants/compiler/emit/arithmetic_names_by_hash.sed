# file: cpudevice/compiler/emit/arithmetic_words.c
# test: conformance/loops/arithmetic/functions_named_as_types
s/memcmp(a->s, b->s, (size_t)a->len) == 0/name_hash(a->s, a->len) % (1 << 17) == name_hash(b->s, b->len) % (1 << 17)/
