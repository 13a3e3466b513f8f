"""A lab's page leads to its recorded launch if there is one; a lecture's page opens its notebook if the repository has
an address; what is recorded is what the notes tell the reader to try.
"""

import importlib.util
import os
import re
import sys
import tempfile

import tap
from tap import check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/site"))
try:
    import tree
    import views
except ImportError as missing:
    tap.skip(f"the site's recorded launches: {missing}")
    sys.exit(0)
spec = importlib.util.spec_from_file_location("site_pages", "tools/site/__main__.py")
pages = importlib.util.module_from_spec(spec)
try:
    spec.loader.exec_module(pages)
except ImportError as missing:
    tap.skip(f"the site's pages: {missing}")
    sys.exit(0)

LAB = "lecture05_shared_memory/transpose.cu"
LECTURE = "lecture05_shared_memory/README.md"
# Not by git, which lists nothing in the tree that a mutant is tried in.
tree.tracked = lambda: (LAB, LECTURE)

with open(LECTURE, encoding="utf-8") as file:
    first = re.search(r"`(\./run transpose [^`]*--view)`", file.read())
check("the first command of the notes is recorded", first and views.command("transpose") == first[1], first)
one_block = "./run attention_decode --view-block 0,0,0 --view"
check("a heavy one by less of it", views.command("attention_decode") == one_block, views.command("attention_decode"))
check("a lab without one is recorded as it runs", views.command("scan") == "./run scan --view", views.command("scan"))

with tempfile.TemporaryDirectory() as folder:
    shown = []
    for launches in ("", '["scan(int*)",[1,1,1],[32,1,1],0]'):
        with open(os.path.join(folder, "page.html"), "w", encoding="utf-8") as file:
            file.write(f'<script>DATA = {{"file":0,\n"launches":[{launches}]}}</script>')
        shown.append(views.shows_a_launch(os.path.join(folder, "page.html")))
check("a page without a launch is none", shown == [False, True], shown)
probes = [lab for lab in views.OPTIONS if "--view-launch 2" in views.command(lab)]
check("of labs that ask for an sm_90a first, the next launch is recorded", len(probes) == 6, *probes)

with tempfile.TemporaryDirectory() as folder:
    views.VIEWS = folder
    without = pages.link_to_view(pages.page_of(LAB), "transpose", pages.WORDS["en"])
    with open(os.path.join(folder, "transpose.html"), "w", encoding="utf-8"):
        pass
    with_one = pages.link_to_view("zh/" + pages.page_of(LAB), "transpose", pages.WORDS["zh"])
check("no link leads to a launch that is not recorded", without == "", without)
check("a link leads to the recorded launch", '"../../../views/transpose.html"' in with_one, with_one)

with tempfile.TemporaryDirectory() as folder:
    site = pages.Site(os.path.join(folder, "en"), "en")
    os.environ["COURSE_REPOSITORY"] = "owner/name"
    colab, codespaces = pages.button(site, pages.page_of(LECTURE)), pages.button(site, "index")
    pages.repository = lambda: ""
    neither = pages.button(site, "index")
notebook = "https://colab.research.google.com/github/owner/name/blob/main/notebooks/lecture05.ipynb"
check("a lecture opens its notebook in Colab", f'href="{notebook}"' in colab, colab)
check("which is there", os.path.exists("notebooks/lecture05.ipynb"))
check("the front page opens Codespaces", 'href="https://codespaces.new/owner/name"' in codespaces, codespaces)
check("without an address there is no button", neither == "", neither)
sys.exit(tap.failed)
