import type { RequestInfo } from './request-info.ts';

/** Requests for them last as long as the client wants. */
const SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Whether a request lasts as long as its client wants. */
export function isLongRunning({ verb, subresource }: Pick<RequestInfo, 'verb' | 'subresource'>): boolean {
  return verb === 'watch' || verb === 'proxy' || SUBRESOURCES.has(subresource);
}
