"""What the notes generate: tables and figures out of results/, code out of the labs, pictures out of their kernels.

Run it as `tools/notes/notes.sh`; `__main__.py` says what a note may ask for.
"""
