# file: tools/course/testing/keys.c
# test: tests/course/remembered of_content
s/return hash_code(with_path(key_of_test(lab, 1), recorded), /return hash_code(key_of_test(lab, 1 + !recorded), /
