import type { ResourceClient, WatchEvent } from '@windlass/client';

/**
 * The first state of the object for which it holds; undefined stands for none. It sees every state from now on, also
 * one that lasts for a moment only, which looking again and again would miss.
 */
export async function untilWatched<T extends { metadata?: { resourceVersion?: string; name?: string } }>(
  resource: Pick<ResourceClient<T>, 'list' | 'watch'>,
  name: string,
  holds: (object: T | undefined) => boolean,
): Promise<T | undefined> {
  const fieldSelector = `metadata.name=${name}`;
  const { items, metadata } = await resource.list({ fieldSelector });
  if (holds(items[0])) return items[0];
  const { resourceVersion = '' } = metadata;
  const watch: AsyncIterable<WatchEvent<T>> = resource.watch({ fieldSelector, resourceVersion });
  for await (const event of watch) {
    if (event.type === 'BOOKMARK') continue;
    const object = event.type === 'DELETED' ? undefined : event.object;
    if (holds(object)) return object;
  }
  throw new Error(`the watch of ${name} ended`);
}
