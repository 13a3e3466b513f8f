
/* draw_hardware.js: pictures of what the hardware does in one step: lanes and sectors, banks and turns, warps. */

/* ---- lanes and the sectors they touch ---- */

/* A row of 32 lanes; what is masked out is an empty box. */
function laneRow(x, y, w, h, active, parts) {
  for (let l = 0; l < LANES; l++) {
    const on = active >>> l & 1, lx = x + l * w;
    parts.push(rect(lx + .5, y, w - 1, h, on ? `fill="${LANE_COLOURS[l]}" class="now"` : `class="off"`));
    if (named(w, l)) parts.push(text(lx + w / 2, y + h / 2 + 4, l, `class="mid" font-size="11" style="fill:${on ? laneText(l) : "var(--v-soft, #57606b)"}"`));
  }
}

function drawSectors(block, step, width = 640) {
  const r = block.recording, site = r.sites[block.site[step]], work = block.work(step), at = block.addresses(step);
  const lanes = lanesOf(block.active[step]), parts = [], laneWidth = (width - 4) / LANES, n = work.sectors.length;
  const label = say`${lanes.length} lanes touch ${n} sectors of 32 bytes; ${work.ideal} would do`;
  parts.push(text(2, 14, say`lanes of warp ${block.warp[step]}`));
  laneRow(2, 20, laneWidth, 20, block.active[step], parts);
  const perRow = width < 480 ? 2 : 4, rows = Math.ceil(n / perRow), wired = n <= perRow, top = wired ? 84 : 58;
  const each = (width - 4 - (perRow - 1) * 10) / perRow, cell = each / 8, height = 18, rowHeight = 40;
  const place = new Map(work.sectors.map((s, i) => [s, [2 + i % perRow * (each + 10), top + Math.floor(i / perRow) * rowHeight]]));
  const used = new Map(); /* word -> lanes */
  for (const l of lanes)
    for (let b = 0; b < site.bytes; b += Math.min(4, site.bytes)) {
      const word = Math.floor((at[l] + b) / 4);
      if (!used.has(word)) used.set(word, []);
      if (!used.get(word).includes(l)) used.get(word).push(l);
    }
  for (const [s, [x, y]] of place) {
    for (let w = 0; w < 8; w++) {
      const who = used.get(s * 8 + w);
      parts.push(rect(x + w * cell, y, cell, height, who ? `fill="${LANE_COLOURS[who[0]]}" class="now"` : `class="waste"`));
      if (who && (!w || used.get(s * 8 + w - 1)?.[0] !== who[0]) && named(cell, who[0], !used.has(s * 8 + w - 1) && !used.has(s * 8 + w + 1)))
        parts.push(text(x + (w + .5) * cell, y + 13, who.length > 1 && cell >= 17 ? who[0] + "+" : who[0], `class="mid" font-size="11" style="fill:${laneText(who[0])}"`));
      if (who && wired)
        for (const l of who) {
          parts.push(wire(LANE_COLOURS[l], 2 + (l + .5) * laneWidth, 41, x + (w + .5) * cell, y - 1));
        }
    }
    parts.push(rect(x, y, each, height, `class="sector"`));
    const a = r.arrayAt(s * 32 + 31) ?? r.arrayAt(s * 32), e = a ? Math.floor((s * 32 - a.base) / a.element) : 0;
    if (a) parts.push(text(x, y + height + 13, shortName(block, a, Math.max(e, 0)) + " …", `class="soft" font-size="11"`));
  }
  const end = top + rows * rowHeight + 6, less = n > work.ideal;
  const words = less ? say`✕ ${n} sector${plural(n)} of 32 bytes fetched, where ${work.ideal} would do` : say`${n} sector${plural(n)} of 32 bytes fetched, no more than needed`;
  parts.push(text(2, end, words, `class="${less ? "bad" : "soft"}"`));
  return picture("sectors", width, end + 6, label, parts);
}
const shortName = (block, a, e) => block.elementName(a, e).replace(said("dynamic shared memory"), said("shared"));

/* ---- the banks of shared memory, turn by turn ---- */

function drawBanks(block, step, width = 640) {
  const work = block.work(step), parts = [], left = 66, cell = (width - left - 2) / BANKS, n = work.turns.length, height = n > 8 ? 14 : 18;
  const label = say`${n} turns of the 32 banks, ${work.conflicts} of them because of conflicts`;
  parts.push(text(2, 13, say`32 banks: in a turn each serves one word`));
  for (let b = 0; b < BANKS; b += cell < 14 ? 4 : 1) parts.push(text(left + (b + .5) * cell, 30, b, `class="mid soft" font-size="11"`));
  const most = 33, shown = Math.min(n, most);
  for (let t = 0; t < shown; t++) {
    const turn = work.turns[t], y = 36 + t * (height + 2), bad = turn.extra;
    parts.push(text(left - 6, y + height / 2 + 4, bad ? say`turn ${t + 1} ✕` : say`turn ${t + 1}`, `class="end ${bad ? "bad" : "soft"}" font-size="11"`));
    const serves = new Map(turn.serves.map(([bank, word, lanes]) => [bank, lanes]));
    for (let b = 0; b < BANKS; b++) {
      const who = serves.get(b);
      parts.push(rect(left + b * cell, y, cell, height, who ? `fill="${LANE_COLOURS[who[0]]}" class="${bad ? "late" : "now"}"` : `class="cell"`));
      if (who && serves.get(b - 1)?.[0] !== who[0] && named(cell, who[0], !serves.has(b - 1) && !serves.has(b + 1)))
        parts.push(text(left + (b + .5) * cell, y + height / 2 + 4, who.length > 1 && cell >= 17 ? who[0] + "+" : who[0], `class="mid" font-size="11" style="fill:${laneText(who[0])}"`));
    }
  }
  let y = 36 + shown * (height + 2) + 14;
  const why = block.recording.sites[block.site[step]].kind === "atomic" ? say`lanes change words of one bank one after the other` : say`lanes want different words of one bank`;
  const words = work.conflicts ? say`✕ ${work.conflicts} extra turn${plural(work.conflicts)}: ${why}`
    : work.needed === 1 ? say`no conflict: one turn serves all` : say`no conflict: ${work.needed} turns for accesses this wide`;
  parts.push(text(2, y, words, work.conflicts ? `class="bad"` : `class="soft"`));
  return picture("banks", width, y + 8, label, parts);
}

/* ---- constant memory ---- */

function drawConstant(block, step, width = 640) {
  const {fetches} = block.work(step), parts = [], w = (width - 4) / LANES, n = fetches.length, a = block.array(step);
  const names = fetches.map(([address]) => a ? block.elementName(a, Math.floor((address - a.base) / a.element)) : "");
  const perRow = Math.max(2, Math.min(8, Math.floor((width - 4) / (12 + 6.8 * Math.max(columns(say`${LANES} lanes`), ...names.map(columns))))));
  const wired = n <= perRow, top = wired ? 88 : 58, each = (width - 4) / perRow;
  parts.push(text(2, 14, say`lanes of warp ${block.warp[step]}`));
  laneRow(2, 20, w, 20, block.active[step], parts);
  fetches.forEach(([, lanes], k) => {
    const x = 2 + k % perRow * each, y = top + Math.floor(k / perRow) * 40, box = Math.min(each - 8, 110);
    if (wired) for (const l of lanes) parts.push(wire(LANE_COLOURS[l], 2 + (l + .5) * w, 41, x + box / 2, y - 1));
    parts.push(rect(x, y, box, 20, `fill="${LANE_COLOURS[lanes[0]]}" class="${k ? "late" : "now"}"`));
    parts.push(text(x + box / 2, y + 14, lanes.length > 1 ? say`${lanes.length} lanes` : say`lane ${lanes[0]}`, `class="mid" font-size="11" style="fill:${laneText(lanes[0])}"`));
    parts.push(text(x, y + 34, names[k], `class="soft" font-size="11"`));
  });
  const end = top + Math.ceil(n / perRow) * 40 + 8;
  parts.push(text(2, end, n === 1 ? say`one address: one fetch serves all lanes` : say`✕ ${n} addresses: ${n} fetches, one after the other`, n === 1 ? `class="soft"` : `class="bad"`));
  return picture("constant", width, end + 6, say`${n} fetches from constant memory`, parts);
}

/* ---- threads as warps ---- */

function drawThreads(block, step, width = 640) {
  const parts = [], left = 62, cell = Math.min(14, (width - left - 130) / LANES), height = 13, barrier = block.kind[step] === BARRIER;
  const order = progress(block, step), shown = Math.min(block.warps, 32);
  parts.push(text(2, 13, barrier ? say`all threads of the block meet at the barrier` : say`a row is a warp of 32 threads; coloured: at work now`));
  for (let w = 0; w < shown; w++) {
    const y = 22 + w * (height + 3), now = block.warp[step] === w, there = Math.min(LANES, block.threads - w * LANES), p = order[w];
    parts.push(text(left - 6, y + 11, say`warp ${w}`, `class="end ${now ? "" : "soft"}" font-size="11"${now ? ` font-weight="700"` : ""}`));
    for (let l = 0; l < there; l++) {
      const on = now && block.active[step] >>> l & 1;
      parts.push(rect(left + l * cell, y, cell - 1, height, on ? `fill="${LANE_COLOURS[l]}" class="now"` : now && !barrier ? `class="off"` : barrier ? `class="written"` : `class="cell"`));
    }
    const all = p.all && p.done >= p.all, waits = all && block.interval[step] < block.barriers.length;
    const words = barrier ? say`at the barrier` : waits ? say`waits` : all ? say`done` : p.all ? say`${p.done} of ${p.all} steps` : "";
    parts.push(text(left + LANES * cell + 6, y + 11, words, `class="${waits || barrier ? "" : "soft"}" font-size="11"`));
  }
  let y = 22 + shown * (height + 3) + 10;
  const idle = now => now >= 0 && !barrier ? Math.min(LANES, block.threads - now * LANES) - lanesOf(block.active[step]).length : 0;
  if (idle(block.warp[step])) { parts.push(text(left, y, say`dashed: ${idle(block.warp[step])} lanes of the warp are masked out in this step`, `class="soft"`)); y += 14; }
  return picture("threads", width, y, say`warps of the block at step ${step}`, parts);
}
/* How many of its steps between two barriers each warp has done. */
function progress(block, step) {
  const all = Array.from({length: block.warps}, () => ({done: 0, all: 0})), k = block.interval[step];
  let s = step;
  while (s > 0 && block.interval[s - 1] === k) s--;
  for (; s < block.count && block.interval[s] === k; s++) if (block.warp[s] >= 0) { all[block.warp[s]].all++; if (s <= step) all[block.warp[s]].done++; }
  return all;
}
