// A button on each block of code that puts its text on the clipboard, where the browser lets a page do so.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  if (!navigator.clipboard) return;
  const chinese = document.documentElement.lang.startsWith("zh");
  const copy = chinese ? "复制" : "Copy", copied = chinese ? "已复制" : "Copied";
  for (const block of document.querySelectorAll("article .highlight:not(.code-page)")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("pre").textContent);
      button.textContent = copied;
      setTimeout(() => { button.textContent = copy; }, 1500);
    });
    block.append(button);
  }
});
