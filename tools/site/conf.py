"""How Sphinx builds the site from the pages that `tools/site/__main__.py` has written to build/site-source."""

project = "CUDA, lecture by lecture"
author = ""
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns: list[str] = []
myst_heading_anchors = 6
myst_links_external_new_tab = False

smartquotes = False  # they would make one dash of the two before an option

html_theme = "furo"
html_use_index = False
html_title = project
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["course.css"]
html_js_files = ["warp.js", "pieces.js"]
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}
pygments_style = "friendly"
pygments_dark_style = "native"
