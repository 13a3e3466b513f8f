# file: lecture05_shared_memory/norms/sent_sums.cuh
# test: lecture05_shared_memory/norms 10
s/wait_for_sent(&landed.turn., .*;/(void)turn;/
