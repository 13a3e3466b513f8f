
/* page.js: the page itself: one step is shown, everything follows from its number. */

const $ = id => document.getElementById(id);
const recording = new Recording(JSON.parse($("data").textContent));
const data = recording.data, launch = data.launch;
let block = null, step = 0, zoom = 0, timer = 0, hardware = null;
const triple = v => v[2] > 1 ? `${v[0]} × ${v[1]} × ${v[2]}` : v[1] > 1 ? `${v[0]} × ${v[1]}` : String(v[0]);
const element = (name, words, attributes = {}) => {
  const e = document.createElement(name);
  if (words !== undefined) e.textContent = words;
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  return e;
};

/* ---- the head ---- */

function showHead() {
  const bare = launch.kernel.replace(/^void /, "").replace(/\(.*$/s, "");
  document.title = `${data.program.replace(/^.*\//, "")}: ${bare}`; /* which program, and which of its kernels */
  $("kernel").textContent = launch.kernel;
  const numbers = data.parameters.filter(p => !/\*/.test(p[1]) && p[2] !== null).map(p => `${p[0]} = ${p[2]}`).join(", ");
  $("about").textContent = say`launch ${launch.number} of ${data.launches.length} of ${data.program} · grid ${triple(launch.grid)} · block ${triple(launch.block)} (${
    launch.block.reduce((a, b) => a * b)} threads)` + (launch.static + launch.dynamic ? say` · ${launch.static + launch.dynamic} bytes of shared memory` : "") + (numbers ? ` · ${numbers}` : "");
  const blocks = launch.grid.reduce((a, b) => a * b), all = data.blocks.length;
  const left = data.blocks.filter(b => b.left).map(b => say`${b.left} later instructions of block ${b.block}`).join(said(", "));
  $("left").textContent = (all === blocks ? say`Every block is recorded step by step.`
    : all === 1 ? say`One of ${blocks} blocks is recorded step by step; the counts beside the source are of all.`
      : say`${all} of ${blocks} blocks are recorded step by step; the counts beside the source are of all.`) + (left ? say` Left out for size: ${left}.` : "");
  data.blocks.forEach((b, k) => $("block").append(element("option", `(${b.block.join(",")})`, {value: k})));
  const others = data.launches.map((l, i) => ({name: l[0].replace(/^void /, "").replace(/\(.*$/s, ""), i: i + 1, findings: l[3]}));
  $("launches").parentNode.hidden = others.length < 2;
  $("launches").textContent = others.slice(0, 200).map(l => `${l.i} ${l.name}${l.i === launch.number ? say` (this one)` : ""}${l.findings ? say` (${l.findings} findings)` : ""}`).join(said(", ")) +
    (others.length > 200 ? said(", ") + "…" : "") + say`. CUDA_CPU_VIEW_LAUNCH=NUMBER (./run: --view-launch NUMBER) shows another.`;
}

/* ---- the source and its counters ---- */

const isFinding = new Map(); /* "file:line" -> findings */
function fileOf(name) { return data.files.findIndex(f => f.name === name); }

function meter(share, wasted, words, title) {
  const m = element("div", undefined, {class: wasted > 0.004 ? "meter bad" : "meter", title}), bar = element("b");
  bar.append(element("i", "", {style: `width:${Math.min(100, share * 100)}%`}));
  if (wasted > 0) bar.append(element("i", "", {class: "waste", style: `left:${share * 100}%;width:${Math.min(100, wasted * 100)}%`}));
  m.append(bar, element("span", words));
  return m;
}

/* Of a line: a bar for each kind of access. */
function metersOf(l) {
  const all = [], round = v => v >= 100 ? Math.round(v) : +v.toFixed(2), kinds = new Map(), several = new Set(l.sites.map(s => `${s.kind}${s.shared}`)).size > 1;
  for (const s of l.sites) {
    const key = `${s.kind} ${s.shared ? "shared" : ""}`;
    if (!kinds.has(key)) kinds.set(key, {kind: s.kind, shared: s.shared, sums: [0, 0, 0, 0, 0, 0, 0]});
    s.sums.forEach((v, i) => kinds.get(key).sums[i] += v);
  }
  for (const {kind, shared, sums: [requests, sectors, ideal, , instructions, turns, conflicts]} of kinds.values()) {
    const what = said(kind), name = several ? what + " " : "";
    if (requests) all.push(meter(ideal / requests / 32, (sectors - ideal) / requests / 32, say`${name}${round(sectors / requests)} sector${plural(sectors / requests)}` + (sectors > ideal ? say`, ideal ${round(ideal / requests)}` : ""),
      say`${what}: ${requests} requests to global memory, ${sectors} sectors of 32 bytes, ${ideal} would do`));
    if (instructions) all.push(meter((turns - conflicts) / instructions / 32, conflicts / instructions / 32, say`${name}${round(turns / instructions)} turn${plural(turns / instructions)}` + (conflicts ? say` for ${round((turns - conflicts) / instructions)}` : ""),
      say`${what}: ${instructions} requests to shared memory, ${turns} turns of the banks, ${conflicts} of them for conflicts`));
  }
  const lanes = l.lanes / (l.requests + l.instructions);
  if (lanes < 31.95) all.push(meter(lanes / 32, 0, say`${round(lanes)} of 32 lanes`, say`active lanes in an instruction, on average`));
  return all;
}

function showSource() {
  const files = new Set([launch.file, ...recording.sites.map(s => s.file)].filter(f => f >= 0));
  for (const f of data.findings) for (const p of [f, f.other]) {
    const key = p && `${fileOf(p.file)}:${p.line}`;
    if (key) isFinding.set(key, [...(isFinding.get(key) || []), f]);
    if (p && fileOf(p.file) >= 0) files.add(fileOf(p.file));
  }
  for (const file of files) {
    const table = element("table"), head = element("tr");
    head.append(element("th", ""), element("th", say`${data.files[file].name}. Under a line: what one request of a warp costs; hatched: avoidable`));
    table.append(head);
    data.files[file].text.replace(/\n$/, "").split("\n").forEach((words, i) => {
      const row = element("tr", undefined, {id: `l${file}_${i + 1}`}), sums = recording.lines.get(`${file}:${i + 1}`), bars = element("td", undefined, {class: "bars"});
      const found = isFinding.get(`${file}:${i + 1}`);
      row.append(element("td", (found ? "⚠ " : "") + (i + 1), {class: "n"}), element("td", words, {class: "code"}), bars);
      if (found) { row.classList.add("found"); row.title = found.map(f => f.message).join("\n"); }
      if (sums) {
        bars.append(...metersOf(sums));
        row.classList.add("counted");
        row.dataset.sectors = sums.sectors;
        row.dataset.conflicts = sums.conflicts;
        row.tabIndex = 0;
        row.onclick = () => toLine(file, i + 1);
        row.onkeydown = e => { if (e.key === "Enter") toLine(file, i + 1); };
      }
      table.append(row);
    });
    $("source").append(table);
  }
}

/* The two lines of a finding, joined by a line beside their numbers. */
function joinFindings() {
  document.querySelectorAll("#source .join").forEach(e => e.remove());
  data.findings.forEach(f => {
    const rows = [f, f.other].map(p => p && $(`l${fileOf(p.file)}_${p.line}`));
    if (!rows[0] || !rows[1] || rows[0] === rows[1]) return;
    const [top, bottom] = rows.map(r => r.offsetTop + 9).sort((a, b) => a - b);
    $("source").append(element("div", undefined, {class: "join", style: `top:${top}px;height:${bottom - top}px`, title: f.message}));
  });
}

/* The next finding: of this block, or of the next one that has any. */
function toFinding() {
  const next = block.nextFinding(step), n = data.blocks.length;
  if (next > step || !data.blocks.some((b, k) => k !== block.index && b.marks.length)) return go(next);
  for (let k = 1; k <= n; k++) {
    const other = recording.block((block.index + k) % n);
    if (!other.marks.length) continue;
    choose(other.index);
    return go(other.nextFinding(-1));
  }
}

/* The next step at a line, from this one on, round the end. */
function toLine(file, line) {
  for (let k = 1; k <= block.count; k++) {
    const s = (step + k) % block.count, at = block.line(s);
    if (at && at[0] === file && at[1] === line) return go(s);
  }
}

function showLine() {
  document.querySelectorAll("#source tr.here").forEach(r => r.classList.remove("here"));
  const at = block.count ? block.line(step) : null, row = at && $(`l${at[0]}_${at[1]}`);
  const show = row || $(`l${launch.file}_${launch.line}`);
  if (row) row.classList.add("here");
  if (!show) return;
  const box = $("source"), below = innerHeight - box.getBoundingClientRect().top - scrollY - 16;
  if (innerWidth > 950) box.style.maxHeight = `${Math.max(below, 260)}px`;
  const top = show.offsetTop, inside = top > box.scrollTop + 30 && top + show.offsetHeight < box.scrollTop + box.clientHeight - 20;
  if (!inside) box.scrollTop = Math.max(0, top - box.clientHeight / 3);
}

/* ---- findings ---- */

function showFindings() {
  data.findings.forEach((f, i) => {
    const mark = data.blocks.flatMap((b, k) => b.marks.filter(m => m[0] === i).map(m => ({k, at: m[1], other: m[2]})))[0];
    const card = element("div", undefined, {class: "card finding", id: `finding${i}`}), place = p => `${p.file.replace(/.*\//, "")}:${p.line}`;
    card.append(element("h2", say`${f.tool}: ${f.message}`));
    for (const [p, s] of [[f, mark?.at], [f.other, mark?.other]]) {
      if (!p) continue;
      const line = element("p"), who = p.thread ? say`block (${p.block}), thread (${p.thread}) ` : "";
      line.append(element("span", say`${who}${p.what} at ${place(p)} `, {class: "who"}));
      if (s >= 0 && mark) {
        const b = element("button", say`step ${s}`, {type: "button"});
        b.onclick = () => { choose(mark.k); go(s); };
        line.append(b);
      }
      card.append(line);
    }
    if (f.cause) card.append(element("p", say`Usual cause: ${f.cause}.`, {class: "note"}));
    if (!mark && f.block) card.append(element("p", say`It is in block (${f.block}), which is not recorded: CUDA_CPU_VIEW_BLOCK=${f.block} (./run: --view-block ${f.block}) records it.`, {class: "note"}));
    $("findings").append(card);
  });
}
const marksHere = () => block.marks.filter(m => m.at === step || m.other === step);

/* Elements that a finding at this step is about. */
function markedElements(a) {
  return marksHere().flatMap(m => {
    const f = data.findings[m.finding], p = m.at === step ? f : f.other;
    if (!p || !p.thread || block.array(step) !== a) return [];
    const [x, y] = launch.block, t = p.thread[0] + x * (p.thread[1] + y * p.thread[2]);
    if (Math.floor(t / LANES) !== block.warp[step]) return [];
    const e = Math.floor((block.addresses(step)[t % LANES] - a.base) / a.element);
    const other = m.at === step ? f.other : f, what = CHINESE ? f.message : f.kind.replace(/^(shared|global)-|-(shared|global)$/g, "").replaceAll("-", " ");
    return [[e, other ? say`${what} with thread (${other.thread ?? "?"}) at line ${other.line}` : what]];
  });
}

/* ---- the time line ---- */

const COLOURS = {load: "--load", store: "--store", atomic: "--store", shared: "--shared", "shared store": "--shared-store", "shared atomic": "--shared-store", constant: "--constant", meet: "--meet"};
function showTime() {
  const canvas = $("time"), ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight, c = canvas.getContext("2d");
  const css = getComputedStyle(document.documentElement), colour = name => css.getPropertyValue(name);
  canvas.width = w * ratio;
  canvas.height = h * ratio;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, w, h);
  const n = Math.max(1, block.count), x = s => 4 + s / n * (w - 8), row = (h - 14) / block.warps, wide = Math.max(2, (w - 8) / n - .3);
  for (let s = 0; s < block.count; s++) {
    if (block.kind[s] === BARRIER) continue;
    const site = recording.sites[block.site[s]];
    const meet = block.kind[s] === MEETING, half = Math.max(1, row / 2 - .5), y = 12 + block.warp[s] * row;
    c.fillStyle = colour(COLOURS[meet ? "meet" : site.memory === "global" ? site.kind : COLOURS[`${site.memory} ${site.kind}`] ? `${site.memory} ${site.kind}` : site.memory]); /* reads above, writes below */
    c.fillRect(x(s), meet ? y + row * .35 : site.kind === "load" ? y : y + row / 2, wide, meet ? Math.max(1, row * .3) : half);
    if (!meet && site.kind === "atomic") c.fillRect(x(s), y, wide, half);
  }
  c.font = "11px system-ui, sans-serif";
  c.fillStyle = colour("--text");
  for (const s of block.barriers) c.fillRect(x(s), 10, Math.max(1.5, wide), h - 10);
  let free = 0;
  for (const s of block.barriers) if (x(s) > free && x(s) < w - 44) { c.fillText(say`barrier`, x(s) + 3, 10); free = x(s) + 56; }
  c.strokeStyle = c.fillStyle = colour("--bad");
  for (const m of block.marks) {
    if (m.at >= 0 && m.other >= 0) { c.beginPath(); c.moveTo(x(m.at), 12); c.quadraticCurveTo((x(m.at) + x(m.other)) / 2, -6, x(m.other), 12); c.lineWidth = 1.5; c.stroke(); }
    for (const s of [m.at, m.other]) if (s >= 0) { c.beginPath(); c.moveTo(x(s) - 5, h); c.lineTo(x(s) + 5, h); c.lineTo(x(s), h - 9); c.fill(); }
  }
  c.strokeStyle = colour("--mark");
  c.lineWidth = 2;
  c.strokeRect(x(step) - 1, 1, Math.max(3, wide + 1), h - 2);
  canvas.setAttribute("aria-valuemax", block.count - 1);
  canvas.setAttribute("aria-valuenow", step);
}
const stepAt = e => {
  const box = $("time").getBoundingClientRect();
  return Math.max(0, Math.min(block.count - 1, Math.floor((e.clientX - box.left - 4) / (box.width - 8) * block.count)));
};

/* ---- the pictures ---- */

function put(where, drawn, title) {
  const box = element("div");
  box.innerHTML = drawn.svg;
  where.append(box);
  return box;
}
const widthOf = card => Math.max(300, Math.min(760, card.clientWidth - 24));

function showHardware() {
  const card = $("hardware"), kind = block.kind[step], w = widthOf(card);
  card.textContent = "";
  const memory = kind === ACCESS ? recording.sites[block.site[step]].memory : "", shared = memory === "shared";
  card.append(element("h2", kind === MEETING ? say`What lanes exchange` : kind === BARRIER ? say`Barrier` : memory === "shared" ? say`Shared memory: which bank serves which lane, and when`
    : memory === "global" ? say`Global memory: from lanes to sectors` : say`Constant memory: which lanes want which address`));
  hardware = kind === MEETING ? drawExchange(block, step, w) : kind === ACCESS ? {shared: drawBanks, global: drawSectors, constant: drawConstant}[memory](block, step, w) : null;
  if (hardware) put(card, hardware);
  else card.append(element("p", say`After it, every thread of the block may read what was written before it.`, {class: "note"}));
  if (kind === BARRIER || kind === MEETING) return;
  const legend = element("div", undefined, {class: "legend"});
  legend.innerHTML = `<span><i style="background:linear-gradient(90deg,${LANE_COLOURS[0]},${LANE_COLOURS[16]},${LANE_COLOURS[31]})"></i>${say`lane 0 … 31`}</span>` +
    (memory === "constant" ? `<span><i style="background:transparent;border:3px solid var(--bad)"></i>${say`an extra fetch`}</span>` : shared ? `<span><i style="background:transparent;border:3px solid var(--bad)"></i>${say`served in an extra turn`}</span>`
      : `<span><i style="background:repeating-linear-gradient(45deg,var(--soft) 0 1px,transparent 1px 4px)"></i>${say`fetched, not requested`}</span>`);
  card.append(legend, laneList());
}

/* The same in words, for those who do not point at cells. */
let lanesOpen = false;
function laneList() {
  const box = element("details", undefined, {class: "note"}), list = element("div", undefined, {id: "lanes"}), a = block.array(step);
  const fill = () => { /* 32 lines for each step are only made where they are looked at */
    list.textContent = "";
    if (box.open) for (const l of lanesOf(block.active[step])) list.append(element("div", block.laneWords(step, l, a)));
  };
  box.append(element("summary", say`lane by lane, with values`), list);
  box.open = lanesOpen;
  fill();
  box.ontoggle = () => { lanesOpen = box.open; fill(); };
  return box;
}

function showArrays() {
  const card = $("arrays"), w = widthOf(card), mine = block.count ? block.array(step) : undefined;
  card.textContent = "";
  card.append(element("h2", say`Arrays: what this block has touched`));
  const all = [...block.touched.keys()].map(i => recording.arrays[i]).sort((a, b) => (b === mine) - (a === mine) || a.order - b.order);
  for (const a of all.slice(0, 6)) {
    const drawn = drawArray(block, a, step, w, a === mine ? 380 : 230, zoom, markedElements(a)), box = put(card, drawn), tools = element("label", say`elements per row `, {class: "note"});
    box.dataset.array = a.index;
    box.onpointermove = e => tip(e, drawn, a, box);
    box.onpointerleave = () => $("tip").style.display = "none";
    const row = element("input", undefined, {type: "number", min: 0, max: 65536, value: a.row || LANES, style: "width:5.5em", "aria-label": say`elements per row of ${a.name}`});
    row.onchange = () => { a.row = Math.max(0, Math.floor(+row.value)); showArrays(); };
    tools.append(row);
    box.title = a.about;
    box.append(tools);
  }
  const tree = mine && mine.shared ? drawTree(block, mine, step, w) : null;
  if (tree) {
    card.append(element("h2", say`How the elements of ${mine.name} flow together`));
    put(card, tree);
  }
  const legend = element("div", undefined, {class: "legend"});
  legend.innerHTML = `<span><i style="background:${LANE_COLOURS[8]}"></i>${say`touched by this lane now`}</span><span><i style="border:3px solid ${LANE_COLOURS[20]}"></i>${say`this warp's last step in another array`}</span>` +
    `<span><i style="background:var(--v-read)"></i>${say`read before`}</span><span><i style="background:var(--v-written);border-bottom:3px solid #a15c00"></i>${say`written before`}</span>` +
    `<span><i style="border:2px solid var(--text)"></i>${say`a sector of 32 bytes`}</span>`;
  card.append(legend);
}

function tip(e, drawn, a, box) {
  const svg = box.querySelector("svg").getBoundingClientRect(), hit = drawn.hit((e.clientX - svg.left) / svg.width * drawn.width, (e.clientY - svg.top) / svg.height * drawn.height);
  const t = $("tip");
  if (hit === null || !block.touched.get(a.index)?.has(hit)) { t.style.display = "none"; return; }
  const k = block.elementAt(a, hit, step), who = k.thread >= 0 ? say`thread ${block.thread(Math.floor(k.thread / LANES), k.thread % LANES)}` : "";
  t.textContent = block.elementName(a, hit) + (k.value ? ` = ${valueText(a.type, k.value)}` : say`: not written yet`) + (k.by >= 0 ? "\n" + say`written in step ${k.by} by ${who}` : "") + (k.read >= 0 ? "\n" + say`read in step ${k.read}` : "");
  t.style.display = "block";
  t.style.left = Math.min(e.clientX + 14, innerWidth - t.offsetWidth - 8) + "px";
  t.style.top = Math.min(e.clientY + 14, innerHeight - t.offsetHeight - 8) + "px";
}

function showThreads() {
  const card = $("threads");
  card.textContent = "";
  card.append(element("h2", say`Threads: the warps of the block`));
  put(card, drawThreads(block, step, widthOf(card)));
}

/* ---- one step ---- */

function go(s) {
  step = Math.max(0, Math.min(block.count - 1, s));
  if (!block.count) { $("words").textContent = say`This block touches no memory that is recorded.`; return; }
  const words = $("words");
  words.textContent = "";
  words.append(element("b", say`Step ${step}. `), block.words(step));
  for (const m of marksHere()) words.append(element("b", say` ⚠ ${data.findings[m.finding].message}.`, {style: "color:var(--bad)"}));
  $("number").value = step;
  $("of").textContent = say`of ${block.count - 1}`;
  showLine();
  showTime();
  showHardware();
  showArrays();
  showThreads();
  try { history.replaceState(null, "", `#block=${block.index}&step=${step}`); } catch { location.hash = `#block=${block.index}&step=${step}`; }
}
function choose(k) {
  block = recording.block(k);
  $("block").value = k;
  $("number").max = block.count - 1;
  $("finding").disabled = !data.blocks.some(b => b.marks.length);
  $("barrier").disabled = !block.barriers.length;
}
function stop() { clearInterval(timer); timer = 0; $("play").textContent = say`▶ play`; }
function play() {
  if (timer) return stop();
  if (step === block.count - 1) go(0);
  $("play").textContent = say`⏸ stop`;
  timer = setInterval(() => step < block.count - 1 ? go(step + 1) : stop(), 350);
}
function theme(name) { document.documentElement.dataset.theme = name; $("theme").textContent = name === "dark" ? say`light` : say`dark`; if (block) go(step); }
function save() { /* the hardware's picture of this step, as it stands */
  if (!hardware) return;
  const svg = hardware.svg.replace(PATTERNS, `<style>${STILL_STYLE}</style>${PATTERNS}`), a = element("a", "", {download: `${hardware.name}-step${step}.svg`, href: URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}))});
  a.click();
}

const actions = {
  first: () => go(0), back: () => go(step - 1), next: () => go(step + 1), play, warpNext: () => go(block.nextOfWarp(step, 1)), warpBack: () => go(block.nextOfWarp(step, -1)),
  barrier: () => go(block.nextBarrier(step, 1)), barrierBack: () => go(block.nextBarrier(step, -1)), finding: () => toFinding(), last: () => go(block.count - 1), save,
  larger: () => { zoom = Math.min(40, (zoom || 12) + 3); showArrays(); }, smaller: () => { zoom = Math.max(3, (zoom || 12) - 3); showArrays(); }, fit: () => { zoom = 0; showArrays(); },
  theme: () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"), helpButton: () => $("helpButton").setAttribute("aria-expanded", $("help").classList.toggle("on")),
};
const KEYS = {ArrowRight: "next", ArrowLeft: "back", ArrowDown: "warpNext", ArrowUp: "warpBack", b: "barrier", B: "barrierBack", f: "finding", " ": "play", Home: "first", End: "last", s: "save", "+": "larger", "=": "larger", "-": "smaller", "0": "fit", d: "theme", "?": "helpButton"};
for (const id of ["first", "back", "next", "play", "warpNext", "barrier", "finding", "theme", "helpButton"]) $(id).onclick = () => { if (id !== "play" && timer) stop(); actions[id](); };
addEventListener("keydown", e => {
  if (/INPUT|SELECT/.test(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey || !KEYS[e.key] || (e.key === " " && e.target.tagName === "BUTTON")) return;
  e.preventDefault();
  if (KEYS[e.key] !== "play" && timer) stop();
  actions[KEYS[e.key]]();
});
$("number").onchange = () => go(Math.floor(+$("number").value) || 0);
$("block").onchange = () => { choose(+$("block").value); go(0); };
$("link").onclick = () => navigator.clipboard?.writeText(location.href).then(() => { $("link").textContent = say`copied`; setTimeout(() => $("link").textContent = say`copy link`, 1200); }, () => {});
$("time").onpointerdown = e => { $("time").setPointerCapture(e.pointerId); if (timer) stop(); go(stepAt(e)); };
$("time").onpointermove = e => { if (e.buttons) go(stepAt(e)); };
addEventListener("resize", () => { joinFindings(); if (block) go(step); });
addEventListener("hashchange", fromHash);

function fromHash() {
  const want = new URLSearchParams(location.hash.slice(1)), k = Math.min(data.blocks.length - 1, Math.max(0, Math.floor(+want.get("block")) || 0));
  if (!block || block.index !== k) choose(k);
  const s = Math.floor(+want.get("step")) || 0;
  if (s !== step || !document.querySelector("#hardware h2")) go(s);
}

/* The words of page.html, and of the findings. */
function putIntoChinese() {
  document.documentElement.lang = "zh-CN";
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, n => /SCRIPT|STYLE/.test(n.parentNode.tagName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(/\S[^]*\S|\S/, words => said(words.replace(/\s+/g, " ")));
  for (const e of document.querySelectorAll("[title], [aria-label]"))
    for (const name of ["title", "aria-label"]) if (e.hasAttribute(name)) e.setAttribute(name, said(e.getAttribute(name)));
  data.chinese.forEach(([message, what, other, cause], i) => {
    const f = data.findings[i];
    Object.assign(f, {message, what, cause});
    if (f.other) f.other.what = other;
  });
}

document.head.append(element("style", PICTURE_STYLE));
if (CHINESE) putIntoChinese();
const linked = location.hash;
showHead();
showSource();
showFindings();
joinFindings();
if (!data.blocks.length) $("words").textContent = data.launches.length ? say`No block of this launch was recorded.` : say`The program launched no kernel.`;
else {
  if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";
  $("theme").textContent = document.documentElement.dataset.theme === "dark" ? say`light` : say`dark`;
  fromHash();
  if (!/step=/.test(linked) && !marksHere().length && data.blocks.some(b => b.marks.length)) toFinding(); /* it begins where there is something to see */
}
