import { isExpired, type KubeList, statusErrorIn } from '@windlass/apimachinery';
import type { ListOptions } from './options.ts';

/** How many objects a page has unless `limit` says otherwise. */
export const DEFAULT_PAGE_SIZE = 500;

/** Options of a list that is read page by page. */
export interface ListPagesOptions extends Omit<ListOptions, 'continue'> {
  /** Objects in one page. @default 500 */
  readonly limit?: number;
  /**
   * What to do when the server no longer knows the state that the first page showed (410). `fail` throws;
   * `continue` goes on with the rest as it is now, so that pages show different moments.
   * @default fail
   */
  readonly onExpired?: 'fail' | 'continue';
}

/** Options of a list that is read to its end. */
export interface ListAllOptions extends Omit<ListPagesOptions, 'onExpired'> {
  /** As for pages, and `restart`: forget the pages and ask for everything in one answer. @default restart */
  readonly onExpired?: 'fail' | 'continue' | 'restart';
}

type ListPage<T> = (options: ListOptions) => Promise<KubeList<T>>;

export async function* listPages<T>(
  list: ListPage<T>,
  options: ListPagesOptions,
): AsyncGenerator<KubeList<T>, void, undefined> {
  const {
    onExpired = 'fail',
    limit = DEFAULT_PAGE_SIZE,
    resourceVersion,
    resourceVersionMatch,
    ...rest
  } = options;
  let page = await list({
    ...rest,
    limit,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(resourceVersionMatch === undefined ? {} : { resourceVersionMatch }),
  });
  for (;;) {
    yield page;
    const token = page.metadata.continue;
    if (token === undefined || token === '') return;
    // The token names the version; a server refuses both at once.
    page = await nextPage(list, { ...rest, limit, continue: token }, onExpired);
  }
}

async function nextPage<T>(
  list: ListPage<T>,
  options: ListOptions,
  onExpired: 'fail' | 'continue',
): Promise<KubeList<T>> {
  try {
    return await list(options);
  } catch (error) {
    // With the refusal comes a token for the rest at the newest version.
    const token = isExpired(error) ? statusErrorIn(error)?.status.metadata?.continue : undefined;
    if (onExpired !== 'continue' || token === undefined || token === '') throw error;
    return list({ ...options, continue: token });
  }
}

/** A list of one page is the server's own; of several, the first page's with all items. */
export async function listAll<T>(list: ListPage<T>, options: ListAllOptions): Promise<KubeList<T>> {
  const { onExpired = 'restart', ...rest } = options;
  const pages: KubeList<T>[] = [];
  try {
    const rule = onExpired === 'continue' ? 'continue' : 'fail';
    for await (const page of listPages(list, { ...rest, onExpired: rule })) pages.push(page);
  } catch (error) {
    if (onExpired !== 'restart' || pages.length === 0 || !isExpired(error)) throw error;
    const { limit: _, ...whole } = rest;
    return list(whole);
  }
  const [first] = pages;
  if (first === undefined || pages.length === 1) return first ?? { metadata: {}, items: [] };
  const { continue: _token, remainingItemCount: _count, ...metadata } = first.metadata;
  return { ...first, metadata, items: pages.flatMap((page) => page.items) };
}
