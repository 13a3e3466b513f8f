// The interactive pieces: each reads its fields, asks the script that has its rule, and draws. They speak the page's language.
"use strict";

const CHINESE = typeof document !== "undefined" && document.documentElement.lang.startsWith("zh");
const say = (english, chinese) => (CHINESE ? chinese : english);

function draw_cells(box, count, label, kind) {
  box.replaceChildren(...Array.from({ length: count }, (_, i) => {
    const cell = document.createElement("span");
    cell.className = "cell " + kind(i);
    cell.textContent = label(i);
    return cell;
  }));
}

function number_of(piece, name, low, high) {
  const value = Math.trunc(Number(piece.querySelector(`[name=${name}]`).value)) || 0;
  return Math.min(high, Math.max(low, value));
}

function draw_coalescing(piece) {
  const size = number_of(piece, "width", 1, 16);
  const stride = number_of(piece, "stride", 0, 64) * size, offset = number_of(piece, "offset", 0, 31) * size;
  const used = sectors(offset, stride, size);
  const last = Math.max(...used);
  const useful = units(offset, stride, size, 1, 0, LANES).size;
  const percent = Math.round((100 * useful) / (used.size * SECTOR));
  piece.querySelector("output").textContent = say(
    `${used.size} sector${used.size === 1 ? "" : "s"}: ${used.size * SECTOR} bytes fetched, ${useful} of them used (${percent} %)`,
    `${used.size} 个扇区：取来 ${used.size * SECTOR} 字节，用到其中 ${useful} 字节（${percent}%）`);
  const box = piece.querySelector(".cells");
  const shown = Math.min(last + 1, 256);
  draw_cells(box, shown, (i) => (used.has(i) && shown <= 64 ? i : ""), (i) => (used.has(i) ? "used" : ""));
}

function draw_banks(piece) {
  const row = number_of(piece, "columns", 1, 64) + number_of(piece, "padding", 0, 8);
  const along = piece.querySelector("[name=along]").value;
  const stride = (along === "row" ? 1 : row) * WORD;
  const counts = words_by_bank(0, stride, WORD), most = turns(0, stride, WORD);
  piece.querySelector("output").textContent = say(
    `${most} turn${most === 1 ? "" : "s"}: the busiest bank gives ${most} word${most === 1 ? "" : "s"}`,
    `${most} 趟：最忙的存储体要给出 ${most} 个字`);
  const kind = (i) => (counts[i] === 0 ? "" : counts[i] === most && most > 1 ? "worst" : "used");
  draw_cells(piece.querySelector(".cells"), BANKS, (i) => `${i}: ${counts[i]}`, kind);
}

function chip_of(piece) {
  const select = piece.querySelector("[name=chip]");
  if (!select.options.length) {
    for (const name of Object.keys(CHIPS)) select.add(new Option(name));
    select.value = "NVIDIA H100 SXM";
  }
  return CHIPS[select.value];
}

const LIMITS_IN_CHINESE = { blocks: "线程块数", warps: "线程束数", registers: "寄存器", "shared memory": "共享内存" };

function draw_occupancy(piece) {
  const chip = chip_of(piece), threads = number_of(piece, "threads", 1, 1024);
  const shared = number_of(piece, "shared", 0, 227 * 1024), registers = number_of(piece, "registers", 1, 255);
  const limits = block_limits(chip, threads, shared, registers);
  const blocks = resident_blocks(chip, threads, shared, registers), warps = Math.ceil(threads / 32);
  const by = Object.keys(limits).filter((name) => limits[name] === blocks);
  const limit = (name) => say(name, LIMITS_IN_CHINESE[name]), held = blocks * warps;
  const percent = Math.round((100 * held) / chip.warps_per_sm);
  piece.querySelector("output").textContent = blocks === 0
    ? say(`No block fits: too little of ${by.join(", ")}`, `放不下一个线程块：${by.map(limit).join("、")}不够`)
    : say(`${blocks} block${blocks === 1 ? "" : "s"}, ${held} of ${chip.warps_per_sm} warps (${percent} %); ` +
        `limited by ${by.join(" and ")}`,
      `${blocks} 个线程块，${chip.warps_per_sm} 个线程束中的 ${held} 个（${percent}%）；受限于${by.map(limit).join("和")}`);
  const kind = (i) => (i >= blocks * warps ? "" : Math.floor(i / warps) % 2 ? "used other" : "used");
  draw_cells(piece.querySelector(".cells"), chip.warps_per_sm, () => "", kind);
}

const SIDES = { producer: "生产者", consumer: "消费者" };

// A row for the slots and one for each side; a button makes one move of its side.
function start_ring(piece) {
  const buttons = { producer: piece.querySelector("[name=producer]"), consumer: piece.querySelector("[name=consumer]") };
  let ring, said;
  const draw = () => {
    piece.querySelector("output").textContent = said;
    const full = (i) => ring.producer.step - ring.consumer.step > (i - ring.consumer.slot + ring.slots) % ring.slots;
    const cells = piece.querySelector(".cells");
    cells.style.gridTemplateColumns = `repeat(${ring.slots}, 1fr)`;
    draw_cells(cells, ring.slots, (i) => say(`slot ${i}: full ${ring.full[i].phase}, empty ${ring.empty[i].phase}`,
      `槽位 ${i}：full ${ring.full[i].phase}，empty ${ring.empty[i].phase}`),
      (i) => (full(i) ? "used" : ""));
    for (const [who, button] of Object.entries(buttons))
      button.textContent = say(`${who}: slot ${ring[who].slot}, wait for parity ${ring[who].parity}`,
        `${SIDES[who]}：槽位 ${ring[who].slot}，等待奇偶 ${ring[who].parity}`);
  };
  const begin = () => {
    ring = ring_of(number_of(piece, "slots", 1, 8));
    said = say("All slots are empty, and each barrier is in phase 0.", "所有槽位都是空的，每个屏障都在阶段 0。");
    draw();
  };
  for (const [who, button] of Object.entries(buttons))
    button.addEventListener("click", () => {
      const { slot, parity } = ring[who], verb = who === "producer" ? "fills" : "empties";
      said = ring_move(ring, who)
        ? say(`The wait for parity ${parity} returned; the ${who} ${verb} slot ${slot}.`,
          `对奇偶 ${parity} 的等待返回了；${SIDES[who]}${who === "producer" ? "填满" : "取空"}槽位 ${slot}。`)
        : say(`The ${who} waits at slot ${slot}: the phase with parity ${parity} has not ended.`,
          `${SIDES[who]}在槽位 ${slot} 等待：奇偶为 ${parity} 的阶段还没有结束。`);
      draw();
    });
  piece.addEventListener("input", begin);
  begin();
}

// The grid of C: the tiles of one wave are coloured, and the others have their turn as a number.
function draw_tiles(piece) {
  const [rows, columns] = [number_of(piece, "rows", 1, 32), number_of(piece, "columns", 1, 32)];
  const [depth, wave] = [number_of(piece, "depth", 1, 32), number_of(piece, "wave", 1, 1024)];
  const chosen = piece.querySelector("[name=order]").value, order = Number(chosen) || chosen;
  const list = tile_order(order, rows, columns), waves = Math.ceil(list.length / wave), turn = new Map();
  list.forEach(([row, column], i) => turn.set(row * columns + column, i));
  const slider = piece.querySelector("[name=step]");
  slider.max = waves;
  const step = number_of(piece, "step", 1, waves), first = (step - 1) * wave, running = list.slice(first, first + wave);
  const [a, b] = [0, 1].map((i) => new Set(running.map((tile) => tile[i])).size);
  const fetched = tiles_fetched(order, rows, columns, depth, wave, number_of(piece, "lines", 1, 4096));
  const least = (rows + columns) * depth;
  piece.querySelector("output").textContent = say(
    `Wave ${step} of ${waves}: ${running.length} tiles of C need ${a} row${a === 1 ? "" : "s"} of A and ${b} ` +
      `column${b === 1 ? "" : "s"} of B. All waves fetch ${fetched} tiles from memory, ${(fetched / least).toFixed(2)} ` +
      `times what A and B have (${least}).`,
    `第 ${step} 波，共 ${waves} 波：C 的 ${running.length} 个分块需要 A 的 ${a} 行和 B 的 ${b} 列。` +
      `所有的波从内存取 ${fetched} 个分块，是 A 和 B 的分块数（${least}）的 ${(fetched / least).toFixed(2)} 倍。`);
  const cells = piece.querySelector(".cells");
  cells.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
  const at = (i) => turn.get(i), now = (i) => at(i) >= first && at(i) < first + wave;
  draw_cells(cells, list.length, (i) => (columns <= 16 ? at(i) : ""), (i) => (now(i) ? "used" : at(i) < first ? "done" : ""));
}

function fill(select, values, wanted) {
  const before = select.value || wanted;
  select.replaceChildren(...values.map((value) => new Option(value)));
  if (values.includes(before)) select.value = before;
  return select.value;
}

function labelled(name, ...words) {
  const label = document.createElement("label"), select = document.createElement("select");
  select.name = name;
  label.append(say(...words) + " ", select);
  return label;
}

const short = (value) => (value >= 1000 ? String(Math.round(value)) : value.toPrecision(4).replace(/\.?0+$/, ""));

// Bars with a switch of device, type, shape and quantity. The rungs are on the lab's page, or those of a lab that one chooses.
function start_ladder(piece) {
  const own = piece.querySelector("script[type='application/json']"), names = { lab: ["lab", "实验"], device: ["device", "设备"],
    type: ["type", "类型"], size: ["shape", "形状"], mode: ["timed", "计时方式"], quantity: ["quantity", "数量"] };
  if (own) delete names.lab;
  for (const [name, words] of Object.entries(names)) piece.append(labelled(name, ...words));
  const bars = document.createElement("div"), field = (name) => piece.querySelector(`[name=${name}]`);
  bars.className = "bars";
  piece.append(bars);
  if (!own) fill(field("lab"), Object.keys(RESULTS), piece.dataset.lab);
  const draw = () => {
    const devices = own ? JSON.parse(own.textContent) : RESULTS[field("lab").value];
    const names = Object.keys(devices), device = fill(field("device"), names, names.find((name) => name !== "CPU device"));
    const chosen = {};
    for (const name of CHOSEN) {
      const values = choices(devices, device, chosen, name);
      chosen[name] = fill(field(name), name === "size" ? values.reverse() : values); // the largest shape is the last
    }
    const quantity = fill(field("quantity"), choices(devices, device, chosen, "quantity"));
    bars.replaceChildren(...bars_of(devices, device, chosen, quantity).flatMap(({ label, value, share }) => {
      const [name, row, bar, number] = ["span", "span", "span", "span"].map((tag) => document.createElement(tag));
      [name.className, row.className, bar.className, number.className] = ["name", "row", "bar", "value"];
      name.textContent = label;
      bar.style.width = `max(2px, ${share.toFixed(4)} * (100% - 7.5rem))`; // beside the longest is room for its value
      number.textContent = `${short(value)} ${quantity}`;
      row.append(bar, number);
      return [name, row];
    }));
  };
  piece.addEventListener("input", draw);
  draw();
}

const SVG = "http://www.w3.org/2000/svg";

function drawn(parent, tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

// The rungs of a device that the plot has, each with its lab.
function plotted(device) {
  return Object.entries(RESULTS).flatMap(([lab, devices]) => (devices[device] ?? []).filter((rung) => rung[GBPS] > 0 && rung[TFLOPS] > 0)
    .map((rung) => Object.assign([...rung], { lab, as_dense: AS_DENSE.includes(lab) })));
}

// Dots below their roofs; a dot says what it is when the pointer is on it or the keyboard reaches it.
function start_roofline(piece) {
  for (const [name, ...words] of [["device", "device", "设备"], ["lab", "lab", "实验"]]) piece.append(labelled(name, ...words));
  const [W, H, LEFT, BOTTOM] = [720, 420, 60, 44], output = document.createElement("output"), all = say("all", "全部");
  const svg = document.createElementNS(SVG, "svg"), field = (name) => piece.querySelector(`[name=${name}]`);
  output.setAttribute("aria-live", "polite");
  for (const [name, value] of [["viewBox", `0 0 ${W} ${H}`], ["role", "group"], ["aria-label", say("roofline", "屋顶线模型")]])
    svg.setAttribute(name, value);
  piece.append(output, svg);
  const devices = [...new Set(Object.values(RESULTS).flatMap((of) => Object.keys(of)))].filter((name) => name !== "CPU device");
  fill(field("device"), devices.sort().reverse());
  const draw = () => {
    const rungs = plotted(field("device").value), roofs = roofs_of(rungs), shown = rungs.filter((rung) => !is_brief(rung));
    const lab = fill(field("lab"), [all, ...new Set(shown.map((rung) => rung.lab))]);
    const logs = (of) => [Math.floor(Math.log10(Math.min(...of))), Math.ceil(Math.log10(Math.max(...of)))];
    const [x0, x1] = logs(shown.map(intensity)), [y0, y1] = logs(shown.map((rung) => rung[TFLOPS]));
    const x = (v) => LEFT + ((Math.log10(v) - x0) / (x1 - x0)) * (W - LEFT - 10);
    const y = (v) => H - BOTTOM - ((Math.log10(v) - y0) / (y1 - y0)) * (H - BOTTOM - 10);
    svg.replaceChildren();
    for (let e = x0; e <= x1; e++) {
      drawn(svg, "line", { x1: x(10 ** e), x2: x(10 ** e), y1: 10, y2: H - BOTTOM, class: "grid" });
      drawn(svg, "text", { x: x(10 ** e), y: H - BOTTOM + 16, "text-anchor": e === x1 ? "end" : "middle" }, 10 ** e);
    }
    for (let e = y0; e <= y1; e++) {
      drawn(svg, "line", { x1: LEFT, x2: W - 10, y1: y(10 ** e), y2: y(10 ** e), class: "grid" });
      drawn(svg, "text", { x: LEFT - 6, y: y(10 ** e) + 4, "text-anchor": "end" }, 10 ** e);
    }
    drawn(svg, "text", { x: W - 10, y: H - 8, "text-anchor": "end" }, say("operations per byte", "每字节的运算数"));
    drawn(svg, "text", { x: LEFT + 6, y: 22 }, "TFLOP/s");
    for (const [type, peak] of Object.entries(roofs.peak)) {
      const ridge = (peak * 1e3) / roofs.memory, low = Math.max(10 ** x0, (10 ** y0 * 1e3) / roofs.memory);
      const points = [low, ridge, 10 ** x1].map((v) => `${x(v)},${y(roof_at(roofs, type, v))}`);
      drawn(svg, "polyline", { points: points.join(" "), class: "roof" });
    }
    for (const rung of shown) {
      if (lab !== all && rung.lab !== lab) continue;
      const roof = roof_at(roofs, rung[TYPE], intensity(rung));
      const words = `${rung.lab} ${rung[NUMBER]}, ${rung[NAME]}, ${rung[TYPE]}, ${rung[SIZE]}: ${short(rung[TFLOPS])} TFLOP/s` +
        say(` at ${short(intensity(rung))} operations per byte`, `，每字节 ${short(intensity(rung))} 次运算`) +
        (roof > 0 ? say(`; ${short((100 * rung[TFLOPS]) / roof)} % of the roof`, `；达到屋顶的 ${short((100 * rung[TFLOPS]) / roof)}%`) : "");
      const dot = drawn(svg, "circle", { cx: x(intensity(rung)), cy: y(rung[TFLOPS]), r: 4, class: "dot", role: "img",
        "aria-label": words, tabindex: lab === all ? -1 : 0 });
      for (const event of ["mouseenter", "focus", "click"]) dot.addEventListener(event, () => { output.textContent = words; });
    }
    const line = parseFloat(getComputedStyle(svg).fontSize) + 2; // larger on a phone
    let above = -100;
    for (const [type, peak] of Object.entries(roofs.peak).sort((a, b) => b[1] - a[1])) {
      above = Math.max(y(peak) - 4, above + line); // below the label before
      drawn(svg, "text", { x: W - 14, y: above, "text-anchor": "end", class: "label" }, `${type} ${short(peak)}`);
    }
    output.textContent = say(`Memory gives ${short(roofs.memory)} GB/s. Point at a dot.`, `内存带宽 ${short(roofs.memory)} GB/s。把指针移到一个点上。`);
  };
  piece.addEventListener("input", draw);
  draw();
}

document.addEventListener("DOMContentLoaded", () => {
  for (const [name, draw] of [["coalescing", draw_coalescing], ["banks", draw_banks], ["occupancy", draw_occupancy],
    ["tiles", draw_tiles]])
    for (const piece of document.querySelectorAll(`.piece[data-piece=${name}]`)) {
      piece.addEventListener("input", () => draw(piece));
      draw(piece);
    }
  for (const [name, start] of [["ring", start_ring], ["ladder", start_ladder], ["roofline", start_roofline]])
    document.querySelectorAll(`.piece[data-piece=${name}]`).forEach(start);
});
