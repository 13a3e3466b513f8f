/* cuprof_chinese.js: what cuprof's page says, in Chinese, by the English of cuprof.html; {2} is the second value there. The
 * table's columns and totals keep torch.profiler's names, as in the notes. notes.words names what is missing here. */
const CHINESE = {
  /* ---- the page before its script has run ---- */
  "dark": "深色",
  "light": "浅色",
  "larger text": "大字",
  "smaller text": "小字",
  "Timeline": "时间线",
  "zoom in": "放大",
  "zoom out": "缩小",
  "all": "全部",
  "wheel: zoom · drag: move · click: what it is, and its launch or kernel": "滚轮：缩放 · 拖动：移动 · 点击：看它是什么，并指出它的启动或核函数",
  "timeline of API calls, ranges, kernels and copies": "API 调用、区段、核函数和复制的时间线",
  "Idle": "空闲",
  "Table": "表格",
  "name contains ...": "名称包含……",
  "filter by name": "按名称筛选",
  "kind of row": "行的种类",
  "all rows": "所有行",
  "ranges": "区段",
  "API calls": "API 调用",
  "kernels": "核函数",
  "copies and fills": "复制和填充",
  "Summaries": "汇总",

  /* ---- the head ---- */
  "Modelled times, launches one after another, each with cold caches: ": "模型算出的时间，启动一次接着一次，每次缓存都是冷的：",
  "CPU device (the counts are a GPU's, the times are this CPU's): ": "CPU 设备（次数与 GPU 上相同，时间是这个 CPU 的）：",
  " · timeline: the {1} longest of {2} events": " · 时间线：{2} 个事件中最长的 {1} 个",
  " · migrations of unified memory were recorded: a kernel that waited for them took longer because of it (--no-migrations)": " · 记录了统一内存的迁移，等待迁移的核函数因此变慢（不要记录：--no-migrations）",

  /* ---- the timeline ---- */
  "CPU device": "CPU 设备",
  "GPU": "GPU",
  "{1} {2}, stream {3}": "{1} {2}，流 {3}",
  "thread {1}": "线程 {1}",
  "thread {1} (main)": "线程 {1}（主线程）",
  "grid {1} block {2}, {3} registers, {4} bytes shared": "网格 {1}，线程块 {2}，{3} 个寄存器，共享内存 {4} 字节",
  "{1} bytes": "{1} 字节",
  "{1} busy {2} %": "{1} 忙 {2} %",
  "idle {1}": "空闲 {1}",
  "range": "区段",
  "API call": "API 调用",
  "api": "API 调用",
  "kernel": "核函数",
  "memory": "内存操作",
  "{1} · {2} · {3} at {4}": "{1} · {2} · {3}，开始于 {4}",

  /* ---- gaps ---- */
  "Nothing ran on the device.": "设备上什么也没有运行。",
  "The timeline has only the longest of the events, so gaps cannot be told from what is left out.": "时间线里只有最长的那些事件，所以分不清哪些是空隙，哪些是略去的事件。",
  "{1}: {2} from the first work to the last, busy {3} ({4} %), idle {5} in {6} gap{7}": "{1}：从第一项工作到最后一项共 {2}，忙 {3}（{4} %），空闲 {5}，有 {6} 个空隙",
  ", median {1}": "，中位数 {1}",
  ". The longest:": "。最长的是：",
  ".": "。",
  "show": "查看",
  "between {1} and {2}; the host: {3} for {4} % of it": "在 {1} 与 {2} 之间；主机有 {4} % 的时间在 {3} 里",
  "between {1} and {2}; the host: hardly any CUDA calls": "在 {1} 与 {2} 之间；主机几乎没有调用 CUDA",

  /* ---- the table ---- */
  "Requests, sectors and bank conflicts of {1}: ": "{1} 的请求、扇区和存储体冲突：",
  " (of a program built with cucc --check)": "（程序要用 cucc --check 编译）",
  "self CPU time total {1} · self CUDA time total {2}": "Self CPU time total {1} · Self CUDA time total {2}",
  ", and apart from it {1} in which the course's harness emptied the cache": "，另有 {1} 是课程的测量程序在清空缓存",
  "{1}: {2}": "{1}：{2}",
  "counters": "计数器",
};
