# file: tools/course/testing/reach.c
# test: tests/course/remembered
# A test that runs a tool of the notes is taken for one that reads no page.
s/!has_word(content, of_pages) && add_pages/add_pages/
