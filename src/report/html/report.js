/* Script of the report: search and filter, nothing else. Without it everything is there to read. */

const tools = document.getElementById('tools');
const search = document.getElementById('search');
const found = document.getElementById('found');
const boxes = [...tools.querySelectorAll('input[type=checkbox]')];
const results = [...document.querySelectorAll('[data-standing]')];
const rows = [...document.querySelectorAll('[data-row]')];
const textOf = new Map();

const matches = (element, wanted) => {
  if (wanted === '') return true;
  if (!textOf.has(element)) textOf.set(element, element.textContent.toLowerCase());
  return textOf.get(element).includes(wanted);
};

const update = () => {
  const wanted = search.value.trim().toLowerCase();
  const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
  let count = 0;
  for (const result of results) {
    const isShown = !off.has(result.dataset.standing) && matches(result, wanted);
    result.hidden = !isShown;
    if (isShown) count++;
  }
  for (const row of rows) row.hidden = !matches(row, wanted);
  for (const group of document.querySelectorAll('.family, .chapter')) {
    const items = [...group.querySelectorAll('[data-standing], [data-row]')];
    group.hidden = items.length > 0 && items.every((item) => item.hidden);
    if (wanted !== '') group.open = !group.hidden;
  }
  found.textContent = wanted === '' && off.size === 0 ? '' : `${count} of ${results.length} results`;
};

const reveal = () => {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  if (target) target.scrollIntoView();
};

search.addEventListener('input', update);
for (const box of boxes) box.addEventListener('change', update);
addEventListener('hashchange', reveal);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === search || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  search.focus();
});
tools.hidden = false;
reveal();
