# file: lecture05_shared_memory/README.md
# test: tests/notes/notes_words.sh
s/__shfl_down_sync/__shuffle_down/g
