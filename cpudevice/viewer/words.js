
/* words.js: what the page and its pictures say. The sources say it in English, with a tag: say`Step ${n}. `. CHINESE, which
 * page.c puts before this, is null, or chinese.js: the Chinese by the English, in which {1} is the first value. No DOM. */

const joined = words => CHINESE ? words.replace(/(?<=[\u2e80-\uffef]) (?=[\u2e80-\uffef])/g, "") : words;
const said = words => CHINESE?.[words] ?? words; /* a word that the recording has, or a text without values */
function say(parts, ...values) {
  const english = parts.reduce((all, part, i) => `${all}{${i}}${part}`);
  return joined(said(english).replace(/\{(\d)\}/g, (_, i) => values[i - 1]));
}
const plural = n => n === 1 ? "" : "s";
/* How wide a text is, in widths of a small letter: a Chinese character takes five thirds. */
const columns = words => [...words].reduce((sum, c) => sum + (c >= "\u2e80" && c <= "\uffef" ? 5 / 3 : 1), 0);
