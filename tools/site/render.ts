import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Page } from './pages.ts';

/** The HTML of one page within the site. `files` are repository files that the site copies as they are. */
export function renderPage(page: Page, pages: readonly Page[], files: Set<string>): string {
  const marked = new Marked({ gfm: true });
  const toRoot = posix.relative(posix.dirname(page.path), '.') || '.';
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
    walkTokens(token) {
      if (token.type === 'link' || token.type === 'image') {
        const link = token as Tokens.Link; // by its type
        link.href = resolve(link.href, page, pages, files, toRoot);
      }
    },
  });
  const body = marked.parse(page.markdown) as string; // without async extensions it is one
  return layout(page, pages, body, toRoot);
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

export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function layout(page: Page, pages: readonly Page[], body: string, toRoot: string): string {
  const groups = Map.groupBy(pages, ({ group }) => group);
  const navigation = [...groups].map(([group, members]) => {
    const links = members.map(({ path, title }) => {
      const here = path === page.path ? ' aria-current="page"' : '';
      return `<li><a href="${posix.join(toRoot, path)}"${here}>${escape(title)}</a></li>`;
    });
    return `<details${members.some(({ path }) => path === page.path) || group === 'Guides' ? ' open' : ''}><summary>${escape(group)}</summary><ul>${links.join('')}</ul></details>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)}${page.path === 'index.html' ? '' : ' – Windlass'}</title>
<link rel="stylesheet" href="${posix.join(toRoot, 'style.css')}">
</head>
<body>
<nav><a class="home" href="${posix.join(toRoot, 'index.html')}">Windlass</a>${navigation.join('')}</nav>
<main>
${body}</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '');
}
