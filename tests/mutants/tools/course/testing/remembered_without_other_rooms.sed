# file: tools/course/testing/reach.c
# test: tests/course/remembered of_content
s/        apart &= reach_rooms(used, r->uses.item\[i\]);/        apart \&= !list_has(used, r->uses.item[i]);/
