import { anchorOf } from './anchor.ts';
import type { Page } from './pages.ts';

/** One part of a page, as the search knows it: short names, because there are thousands. */
export interface Entry {
  /** Where it is, from the root of the site. */
  readonly p: string;
  /** The title of the page. */
  readonly t: string;
  /** The heading of the part; empty for the beginning of the page. */
  readonly h: string;
  /** Its words, without markup. */
  readonly x: string;
}

const MAX_TEXT = 400;

/** An entry for each part of each page. */
export function searchEntries(pages: readonly Page[]): Entry[] {
  return pages.flatMap(({ path, title, markdown }) => {
    const withoutCode = markdown.replaceAll(/^```[\s\S]*?^```/gm, '');
    return withoutCode.split(/^(?=#{1,3} )/m).flatMap((part): Entry[] => {
      const [, heading = ''] = /^#{1,3} (.*)/.exec(part) ?? [];
      const text = plain(part.replace(/^#{1,3} .*/, ''));
      const isTop = heading === title || heading === '';
      if (isTop && text === '') return [];
      return [
        {
          p: isTop ? path : `${path}#${anchorOf(heading)}`,
          t: title.replaceAll('`', ''),
          h: isTop ? '' : heading.replaceAll('`', ''),
          x: text.slice(0, MAX_TEXT),
        },
      ];
    });
  });
}

function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|#>]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
