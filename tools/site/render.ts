import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { anchorOf } from './anchor.ts';
import { escapeHtml, highlight } from './highlight.ts';
import { linkNames, type NamePlaces } from './name-links.ts';
import type { Page } from './pages.ts';

/** What all pages of a site share. */
export interface Site {
  readonly pages: readonly Page[];
  /** Of the names in the reference. */
  readonly names: NamePlaces;
}

interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly anchor: string;
}

/** The HTML of one page within the site. `files` are repository files that the site copies as they are. */
export function renderPage(page: Page, site: Site, files: Set<string>): string {
  const marked = new Marked({ gfm: true });
  const toRoot = posix.relative(posix.dirname(page.path), '.') || '.';
  const headings: Heading[] = [];
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const anchor = anchorOf(text);
        headings.push({ depth, text, anchor });
        const link =
          depth === 1 ? '' : `<a class="anchor" href="#${anchor}" aria-label="Link to this part">#</a>`;
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`;
      },
      code({ text, lang = '' }: Tokens.Code): string {
        const html = highlight(text, lang);
        const own = headings.at(-1)?.text ?? '';
        const linked = page.group === 'Reference' ? linkNames(html, site.names, toRoot, own) : html;
        return `<pre><code>${linked}\n</code></pre>\n`;
      },
    },
    walkTokens(token) {
      if (token.type === 'link' || token.type === 'image') {
        const link = token as Tokens.Link; // by its type
        link.href = resolve(link.href, page, site.pages, files, toRoot);
      }
    },
  });
  const body = marked.parse(page.markdown) as string; // without async extensions it is one
  return layout(page, site.pages, { body, headings }, toRoot);
}

function resolve(
  href: string,
  page: Page,
  pages: readonly Page[],
  files: Set<string>,
  toRoot: string,
): string {
  if (/^(?:[a-z]+:|#)/.test(href) || page.source === undefined) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(page.source), path)).replace(/\/$/, '');
  const found = pages.find(({ source }) => source === target || source === posix.join(target, 'README.md'));
  if (found !== undefined) return posix.join(toRoot, found.path) + (anchor === undefined ? '' : `#${anchor}`);
  files.add(target);
  return posix.join(toRoot, target);
}

/** Pages that are read one after the other. */
const READ_IN_ORDER = new Set(['Start', 'Guides', 'Understand']);
/** A page with fewer parts needs no list of them. */
const MIN_CONTENTS = 3;
/** A reference has hundreds of names: they have a list of their own. */
const MAX_CONTENTS = 60;

function layout(
  page: Page,
  pages: readonly Page[],
  { body, headings }: { readonly body: string; readonly headings: readonly Heading[] },
  toRoot: string,
): string {
  const to = (path: string): string => posix.join(toRoot, path);
  const groups = Map.groupBy(pages, ({ group }) => group);
  const navigation = [...groups].map(([group, members]) => {
    const links = members.map(({ path, title }) => {
      const here = path === page.path ? ' aria-current="page"' : '';
      return `<li><a href="${to(path)}"${here}>${escape(title)}</a></li>`;
    });
    const isOpen = members.some(({ path }) => path === page.path) || group === 'Guides';
    return `<details${isOpen ? ' open' : ''}><summary>${escape(group)}</summary><ul>${links.join('')}</ul></details>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)}${page.path === 'index.html' ? '' : ' – Windlass'}</title>
<link rel="stylesheet" href="${to('style.css')}">
<script defer src="${to('search-index.js')}"></script>
<script defer src="${to('site.js')}" data-root="${toRoot}"></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<nav aria-label="Site"><a class="home" href="${to('index.html')}">Windlass</a>
<input type="search" id="search" placeholder="Search  /" aria-label="Search" autocomplete="off">
<ol id="found" hidden></ol>
<button id="menu" aria-expanded="false">Menu</button>
<div id="pages">${navigation.join('')}</div></nav>
<main id="content">
${body}${neighbours(page, pages, to)}</main>
${contents(headings)}
</body>
</html>
`;
}

function contents(headings: readonly Heading[]): string {
  const parts = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const shown = parts.length > MAX_CONTENTS ? parts.filter(({ depth }) => depth === 2) : parts;
  if (shown.length < MIN_CONTENTS) return '<aside></aside>';
  const links = shown.map(
    ({ depth, text, anchor }) => `<li class="d${depth}"><a href="#${anchor}">${escape(text)}</a></li>`,
  );
  return `<aside aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></aside>`;
}

function neighbours(page: Page, pages: readonly Page[], to: (path: string) => string): string {
  const order = pages.filter(({ group }) => READ_IN_ORDER.has(group));
  const at = order.indexOf(page);
  if (at === -1) return '';
  const link = (other: Page | undefined, rel: string, word: string): string =>
    other === undefined
      ? ''
      : `<a rel="${rel}" href="${to(other.path)}"><small>${word}</small>${escape(other.title)}</a>`;
  return `<footer>${link(order[at - 1], 'prev', 'Before')}${link(order[at + 1], 'next', 'Next')}</footer>\n`;
}

function escape(text: string): string {
  return escapeHtml(text.replaceAll('`', ''));
}
