"""What axe finds serious or critical on a page that a tab of Playwright shows.

Two of axe's rules compare colours and take most of its time: minutes on a page with thousands of cells or of links to
lines. They look at three elements of each look. Elements look alike if they and all elements around them agree in
their tag, class and style, in the colours and the type that result, and are placed by the flow of the text; one that
is placed otherwise is a look of its own. All other rules see every element.
"""

from __future__ import annotations

from collections.abc import Iterator

OF_A_LOOK = 3
MARK = (
    """() => {
  const number = new Map(), looks = new Map(), seen = new Map();
  const known = (key) => number.get(key) ?? number.set(key, number.size).get(key);
  const look = (element) => {
    if (!element) return -1;
    if (looks.has(element)) return looks.get(element);
    const s = getComputedStyle(element), placed = s.position !== "static" && s.position !== "relative";
    const key = [look(element.parentElement), element.tagName, element.className, element.getAttribute("style"),
      s.color, s.backgroundColor, s.backgroundImage, s.opacity, s.fontSize, s.fontWeight, s.textDecorationLine, s.float,
      s.textShadow, s.visibility, s.display, s.transform, s.filter, s.mixBlendMode, placed ? looks.size : ""].join("|");
    looks.set(element, known(key));
    return looks.get(element);
  };
  for (const old of document.querySelectorAll("[data-look]")) old.removeAttribute("data-look");
  for (const element of document.body.querySelectorAll("*")) {
    const text = [...element.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim());
    const key = look(element);
    if (!text && !element.matches("a, input, select, textarea, button")) continue;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    if (count <= """
    + str(OF_A_LOOK)
    + """) element.setAttribute("data-look", key);
  }
}"""
)
SELECTORS = {"color-contrast": "[data-look]", "link-in-text-block": "a[href][data-look]"}
RUN = """(options) => axe.run(document, options).then(result => result.violations.map(
    rule => [rule.id, rule.impact, rule.nodes.map(node => node.html.replace(/ data-look="\\d+"/g, ""))]))"""


def load(tab) -> None:
    """Makes axe ready on the page; once after it was opened."""
    from axe_playwright_python.sync_playwright import Axe

    tab.evaluate(Axe().axe_script)
    rules = [{"id": rule, "selector": selector} for rule, selector in SELECTORS.items()]
    tab.evaluate("(rules) => axe.configure({rules})", rules)


def found(tab, *, colours: bool) -> Iterator[tuple[str, list[str]]]:
    """The rules that the page breaks as it is shown now, each with the elements that break it; with `colours` only the
    rules that compare colours."""
    tab.evaluate(MARK)
    only = {"runOnly": list(SELECTORS)} if colours else {}
    for rule, impact, elements in tab.evaluate(RUN, {"resultTypes": ["violations"], "preload": False, **only}):
        if impact in ("serious", "critical"):
            yield rule, elements
