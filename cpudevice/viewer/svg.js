
/* svg.js: what all pictures share: colours, style, shapes.  A picture is {name, width, height, label, svg: a string}: no DOM, since
 * a still picture is drawn without a browser. */

/* One colour for each lane, from dark to light in the way of viridis, which the colour-blind can follow; the darkest is light
 * enough to be seen on black. */
const LANE_COLOURS = (() => {
  const stops = ["#6a55c8", "#5468c0", "#3f7fb8", "#2e92a6", "#27a38e", "#43b878", "#74cb55", "#b0da34", "#f0e51c"];
  const parts = c => [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16));
  return Array.from({length: LANES}, (_, l) => {
    const x = l / (LANES - 1) * (stops.length - 1), i = Math.min(Math.floor(x), stops.length - 2), f = x - i;
    const [a, b] = [parts(stops[i]), parts(stops[i + 1])];
    return "#" + a.map((v, k) => Math.round(v + (b[k] - v) * f).toString(16).padStart(2, "0")).join("");
  });
})();
const laneText = l => l < 14 ? "#ffffff" : "#101010";

/* The pictures' own style, so that a still one has it too: legible on white and on dark. */
const PICTURE_STYLE = `
.v { font: 12px system-ui, "DejaVu Sans", sans-serif; }
.v text { fill: var(--v-text, #1a1d21); }
.v .soft { fill: var(--v-soft, #57606b); }
.v .cell { fill: var(--v-cell, #eef1f4); stroke: var(--v-line, #c3cad2); stroke-width: .5; }
.v .read { fill: var(--v-read, #b7d3f2); }
.v .written { fill: var(--v-written, #f3cf9b); }
.v .waste { fill: url(#v-waste); stroke: var(--v-line, #c3cad2); stroke-width: .5; }
.v .sector { fill: none; stroke: var(--v-text, #1a1d21); stroke-width: 1.5; }
.v .bad { fill: var(--v-bad, #b42318); }
.v text.bad { font-weight: 600; }
.v .halo { paint-order: stroke; stroke: var(--v-halo, #ffffff); stroke-width: 5px; stroke-linejoin: round; }
.v .late { stroke: var(--v-bad, #b42318); stroke-width: 2.5; }
.v .now { stroke: var(--v-text, #1a1d21); stroke-width: 1; }
.v .ring { fill: none; stroke-width: 2.5; }
.v .flying { fill: var(--v-halo, #ffffff); stroke: var(--v-text, #1a1d21); stroke-width: 1.6; stroke-dasharray: 1.6 2.4; }
.v .beyond { fill: var(--v-halo, #ffffff); }
.v .outside { fill: none; stroke: var(--v-bad, #b42318); stroke-width: 2; stroke-dasharray: 4 2; }
.v .off { fill: none; stroke: var(--v-line, #c3cad2); stroke-dasharray: 2 2; }
.v .wire { fill: none; stroke-width: 1.6; }
.v .under { fill: none; stroke: var(--v-text, #1a1d21); stroke-width: 2.6; opacity: .35; }
.v .mark { fill: none; stroke: var(--v-bad, #b42318); stroke-width: 2.5; }
.v .mid { text-anchor: middle; }
.v .end { text-anchor: end; }`;
const STILL_STYLE = PICTURE_STYLE + `
@media (prefers-color-scheme: dark) { svg { --v-text: #eceff3; --v-soft: #a3adb9; --v-cell: #23292f; --v-line: #4a535d; --v-read: #24476e;
  --v-written: #6e4a17; --v-bad: #ff8a75; --v-halo: #14171b; } }`;
const PATTERNS = `<defs><pattern id="v-waste" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
  `<rect width="5" height="5" fill="var(--v-cell, #eef1f4)"/><rect width="1.2" height="5" fill="var(--v-soft, #57606b)" opacity=".55"/></pattern>` +
  `</defs>`;

const escape = s => String(s).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
const rect = (x, y, w, h, more) => `<rect x="${+x.toFixed(2)}" y="${+y.toFixed(2)}" width="${+w.toFixed(2)}" height="${+h.toFixed(2)}" ${more}/>`;
const text = (x, y, words, more = "") => `<text x="${+x.toFixed(2)}" y="${+y.toFixed(2)}" ${more}>${escape(words)}</text>`;
/* A curve from one lane or cell down to another, with an edge that shows it on any ground. */
function wire(colour, x0, y0, x1, y1, more = "") {
  const mid = (y0 + y1) / 2, d = `M${x0.toFixed(1)} ${y0}C${x0.toFixed(1)} ${mid} ${x1.toFixed(1)} ${mid} ${x1.toFixed(1)} ${y1}`;
  return `<path class="under" d="${d}"/><path class="wire" stroke="${colour}" ${more} d="${d}"/>`;
}
const picture = (name, width, height, label, parts) => ({name, width, height, label,
  svg: `<svg class="v" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" width="${Math.ceil(width)}" ` +
    `height="${Math.ceil(height)}" role="img" aria-label="${escape(label)}">${PATTERNS}${parts.join("")}</svg>`});

/* Shall a cell so wide name its lane?  Where it is too narrow for two digits and room beside them every fourth lane does, and who is alone. */
const named = (width, lane, alone) => width >= 17 || (width >= 10 && (lane % 4 === 0 || alone));
