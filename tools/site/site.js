// What a page of the site does: search, copy, the menu on small screens. It works without it, but for the search.
const root = document.currentScript.dataset.root;
const search = document.getElementById('search');
const found = document.getElementById('found');
const MAX_FOUND = 12;

/** How well an entry fits: all words must be there; in a heading they count most. */
function score(entry, words) {
  let sum = 0;
  const [title, heading, text] = [entry.t, entry.h, entry.x].map((part) => part.toLowerCase());
  for (const word of words) {
    const at = heading === '' ? title : heading;
    if (at === word) sum += 100;
    else if (at.startsWith(word)) sum += 40;
    else if (at.includes(word)) sum += 20;
    else if (title.includes(word)) sum += 10;
    else if (text.includes(word)) sum += 1;
    else return 0;
  }
  // Guides before references, which have every word.
  return sum + (entry.p.startsWith('docs/guides/') ? 5 : 0);
}

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const entries =
    words.length === 0
      ? []
      : window.searchIndex
          .map((entry) => ({ entry, points: score(entry, words) }))
          .filter(({ points }) => points > 0)
          .sort((a, b) => b.points - a.points)
          .slice(0, MAX_FOUND);
  found.replaceChildren(
    ...entries.map(({ entry }) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = `${root}/${entry.p}`;
      const name = document.createElement('strong');
      name.textContent = entry.h === '' ? entry.t : entry.h;
      const where = document.createElement('small');
      where.textContent = entry.h === '' ? entry.x.slice(0, 90) : entry.t;
      link.append(name, where);
      item.append(link);
      return item;
    }),
  );
  if (words.length > 0 && entries.length === 0) {
    const item = document.createElement('li');
    item.textContent = 'nothing found';
    found.append(item);
  }
  found.hidden = words.length === 0;
}

search.addEventListener('input', show);
search.addEventListener('keydown', (event) => {
  const links = found.querySelectorAll('a');
  if (event.key === 'Enter') links[0]?.click();
  if (event.key === 'ArrowDown') {
    links[0]?.focus();
    event.preventDefault();
  }
  if (event.key === 'Escape') {
    search.value = '';
    show();
    search.blur();
  }
});
found.addEventListener('keydown', (event) => {
  const links = [...found.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'ArrowDown') links[at + 1]?.focus();
  else if (event.key === 'ArrowUp') (links[at - 1] ?? search).focus();
  else if (event.key === 'Escape') search.focus();
  else return;
  event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  search.focus();
});

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(() => {
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
  });
  block.append(button);
}

const menu = document.getElementById('menu');
menu.addEventListener('click', () => {
  const isOpen = menu.getAttribute('aria-expanded') === 'true';
  menu.setAttribute('aria-expanded', String(!isOpen));
});
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });
