# file: common/device/vendor.c
# test: tests/course/vendor_libraries.sh
/#pragma weak vendor_load_sparse$/d
