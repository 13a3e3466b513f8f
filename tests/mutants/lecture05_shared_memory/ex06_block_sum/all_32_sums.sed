# caught by: check
# takes the sums of warps that do not exist
s|lane < warps ? sums\[lane\] : 0|sums[lane]|
