# shellcheck shell=sh
# functions.sh (make check does not run this): for the cases here.
# shellcheck shell=sh

needs_cccl() { $cucc -o "$work/missing" "$folder/missing.cu" || { echo "CUB and Thrust: CCCL is not here (tools/setup/need.sh cccl)"; false; }; }
