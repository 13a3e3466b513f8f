# file: tools/notes/plain_words.py
# test: tests/notes/notes_units.sh
s/(?:one|a|each) (?:thread|warp|block|lane|sector|turn) an? {PART}/(?:one|a|each) (?:thread|warp|block|lane|sector|turn) an {PART}/
