// The search: every part of a word is found, in both languages. Sphinx loads the index, and shows what is found here.
"use strict";

const HAN_RUN = /([\u3400-\u9fff]+)|((?:(?![\u3400-\u9fff])[\p{Letter}\p{Number}_])+)/gu;

// What a query asks for. A Chinese term is one word; of other Chinese, each pair of neighbouring characters.
function words_of_query(query, lexicon) {
  const words = [];
  for (const [, chinese, other] of query.toLowerCase().matchAll(HAN_RUN)) {
    if (other) words.push(other);
    else if (lexicon.has(chinese) || chinese.length < 2) words.push(chinese);
    else for (let i = 0; i + 2 <= chinese.length; i++) words.push(chinese.slice(i, i + 2));
  }
  return words;
}

// The pages with a word, and how well it fits each: 1 for the whole word, less for a part of one. A single letter is a word.
function pages_with(terms, word) {
  const found = new Map();
  const add = (term, fit) => [].concat(terms[term]).forEach((page) => found.set(page, Math.max(fit, found.get(page) ?? 0)));
  if (Object.hasOwn(terms, word)) add(word, 1);
  if (word.length > 1 || word > "\u3400")
    for (const term of Object.keys(terms)) if (term !== word && term.includes(word)) add(term, word.length / term.length / 2);
  return found;
}

// What a page's kind adds to its score: the lectures explain what others use.
function page_bonus(name) {
  if (/^lecture\d\d_\w+\/index$/.test(name)) return 8;
  if (/^(lecture\d\d_\w+\/(?!measured)\w+|docs\/glossary)$/.test(name)) return 4;
  return name.startsWith("lecture") ? 1 : 0;
}

// The pages that have all of the words, with a score each: a word in a title counts most, then a whole word.
function pages_found(index, words) {
  let scores = null;
  for (const word of new Set(words)) {
    const text = pages_with(index.terms, word), titles = pages_with(index.titleterms, word), next = new Map();
    for (const page of [...text.keys(), ...titles.keys()])
      if (!scores || scores.has(page))
        next.set(page, (scores?.get(page) ?? 0) + 5 * (text.get(page) ?? 0) + 8 * (titles.get(page) ?? 0));
    scores = next;
  }
  return new Map([...(scores ?? [])].map(([page, score]) => [page, score + page_bonus(index.docnames[page])]));
}

if (typeof document !== "undefined")
  document.addEventListener("DOMContentLoaded", () => {
    if (typeof Search === "undefined") return;
    Search._parseQuery = (query) => {
      const asked = query.trim().split(/\s+/), unwanted = asked.filter((word) => /^-./.test(word));
      const words = new Set(splitQuery(asked.filter((word) => !/^-./.test(word)).join(" ")));
      if (SPHINX_HIGHLIGHT_ENABLED) localStorage.setItem("sphinx_highlight_terms", [...words].join(" "));
      return [query, words, new Set(splitQuery(unwanted.join(" "))), words, new Set()];
    };
    Search.performTermsSearch = (words, excluded) => {
      const index = Search._index, unwanted = new Set([...excluded].flatMap((word) => [...pages_with(index.terms, word).keys()]));
      return [...pages_found(index, words)].filter(([page]) => !unwanted.has(page)).map(([page, score]) =>
        [index.docnames[page], index.titles[page], "", null, score, index.filenames[page], SearchResultKind.text]);
    };
    if (document.documentElement.lang.startsWith("zh")) {
      Documentation.ngettext = () => "搜索完成，找到 ${resultCount} 个页面。";
      Documentation.gettext = ((given) => (text) => (text.startsWith("Your search did not match") ? "没有找到。" : given(text)))(
        Documentation.gettext);
    }
    // A page that is a file may not read the others for their first lines.
    if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  });
