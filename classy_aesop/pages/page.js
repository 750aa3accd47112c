"use strict";
(() => {
  const number = (text) => (/^[-+]?[\d.]/.test(text) ? parseFloat(text) : NaN);
  const compare = (a, b) => {
    const [x, y] = [number(a), number(b)];
    if (!isNaN(x) && !isNaN(y)) return x - y;
    return a.localeCompare(b, "en", { numeric: true });
  };
  const sort = (head) => {
    const table = head.closest("table");
    const up = head.getAttribute("aria-sort") !== "ascending";
    const text = (row) => row.cells[head.cellIndex].textContent.trim();
    const missing = (row) => text(row) === "-";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => missing(a) - missing(b) || (up ? 1 : -1) * compare(text(a), text(b)));
    table.tBodies[0].append(...rows);
  };
  for (const button of document.querySelectorAll("th button"))
    button.addEventListener("click", () => sort(button.closest("th")));
  const mark = () => {
    for (const wide of document.querySelectorAll(".wide"))
      wide.previousElementSibling.hidden = wide.scrollWidth <= wide.clientWidth + 1;
  };
  window.addEventListener("resize", mark);
  document.addEventListener("toggle", mark, true);
  mark();
  const open = () => document.querySelectorAll("details").forEach((one) => (one.open = true));
  window.addEventListener("beforeprint", open);
  const unfold = () => document.getElementById(location.hash.slice(1))?.setAttribute("open", "");
  window.addEventListener("hashchange", unfold);
  unfold();
})();
