/** Of the page of one run: marks lead to their lines, lines can be filtered, and the test can be copied. */
export const PAGE_SCRIPT = `
const rows = [...document.querySelectorAll('.row')];
document.querySelector('svg').addEventListener('click', (event) => {
  const mark = event.target.closest('.mark');
  const row = mark && document.getElementById('row-' + mark.dataset.row);
  if (!row) return;
  row.hidden = false;
  if (row.tagName === 'DETAILS') row.open = true;
  for (const other of document.querySelectorAll('.found')) other.classList.remove('found');
  row.classList.add('found');
  row.scrollIntoView({ block: 'center', behavior: 'smooth' });
});
const form = document.querySelector('.filter');
const filter = () => {
  const process = form.querySelector('select').value;
  const text = form.querySelector('input').value.toLowerCase();
  for (const row of rows)
    row.hidden = (process !== '' && row.dataset.process !== process && row.dataset.process !== '')
      || !row.textContent.toLowerCase().includes(text);
};
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
const button = document.querySelector('.paste button');
button.addEventListener('click', async () => {
  const pre = document.querySelector('.paste pre');
  try {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = 'Copied';
  } catch {
    // A page from a file may not write to the clipboard: the text is marked, to be copied by hand.
    getSelection().selectAllChildren(pre);
    button.textContent = 'Marked';
  }
});
`;
