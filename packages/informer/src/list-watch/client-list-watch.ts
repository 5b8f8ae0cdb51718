import {
  isNotFound,
  type KubeList,
  type KubeObject,
  type RawWatchEvent,
  type ShardSelector,
} from '@windlass/apimachinery';
import type { Discovery, ResourceReader, SelectorOptions } from '@windlass/client';
import { isResumable } from '../versions/resource-versions.ts';
import type { ListPage, ListWatch } from './list-watch.ts';

/** Which objects are listed and watched. */
export interface ClientListWatchOptions extends SelectorOptions {
  /**
   * Only part of the objects. From a server that does not know shards all of them come, and those of others are left out
   * here: the cache is then as small, but nothing else is saved.
   * @default everything
   */
  readonly shardSelector?: ShardSelector;
  /**
   * For a kind that was found in discovery: told to forget it when it is not served any more, so that it
   * is found again when it comes back in another form.
   */
  readonly discovery?: Pick<Discovery, 'invalidate'>;
}

/** Lists and watches by a resource client: `client.resource(Pod)`, its `namespace(…)`, its `metadata`. */
export function clientListWatch<T extends KubeObject>(
  reader: Pick<ResourceReader<T>, 'list' | 'watchBatches'>,
  { labelSelector, fieldSelector, shardSelector, discovery }: ClientListWatchOptions = {},
): ListWatch<T> {
  const common = {
    // The reflector leaves such objects out and says so; the others must not be lost with them.
    allowNameless: true,
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(shardSelector !== undefined && { shardSelector }),
  };
  return {
    async list({ resourceVersion, limit, continueToken, signal }) {
      try {
        const list = await reader.list({
          ...common,
          ...(resourceVersion !== '' && { resourceVersion }),
          // Without it a server takes a version with a limit for exactly that version.
          ...(isResumable(resourceVersion) && { resourceVersionMatch: 'NotOlderThan' }),
          ...(limit > 0 && { limit }),
          ...(continueToken !== undefined && { continue: continueToken }),
          signal,
        });
        return toPage(list, shardSelector);
      } catch (error) {
        if (isNotFound(error)) discovery?.invalidate();
        throw error;
      }
    },
    async watch({ resourceVersion, sendInitialEvents, timeoutSeconds, signal }) {
      const batches = reader.watchBatches({
        ...common,
        ...(resourceVersion !== '' && { resourceVersion }),
        ...(sendInitialEvents && { sendInitialEvents }),
        timeoutSeconds,
        signal,
      });
      // A WatchEvent is a RawWatchEvent whose type is known; an ERROR is thrown.
      const events = batches as AsyncIterable<readonly RawWatchEvent[]>;
      return shardSelector === undefined ? events : ofShard(events, shardSelector);
    },
  };
}

async function* ofShard(
  batches: AsyncIterable<readonly RawWatchEvent[]>,
  shard: ShardSelector,
): AsyncGenerator<readonly RawWatchEvent[], void, undefined> {
  for await (const events of batches) {
    const own = events.filter(({ type, object }) => type === 'BOOKMARK' || isOfShard(object, shard));
    if (own.length > 0) yield own;
  }
}

/** What is no object at all is for the reflector to complain about. */
function isOfShard(object: unknown, shard: ShardSelector): boolean {
  return typeof object !== 'object' || object === null || shard.matches(object);
}

function toPage<T extends KubeObject>(list: KubeList<T>, shard: ShardSelector | undefined): ListPage<T> {
  nameKind(list);
  const { resourceVersion = '', continue: token } = list.metadata;
  return {
    items: shard === undefined ? list.items : list.items.filter((item) => isOfShard(item, shard)),
    resourceVersion,
    continueToken: token === undefined || token === '' ? undefined : token,
  };
}

/**
 * Lists of built-in kinds say what their items are once, for all of them; events say it each time. In the
 * cache all objects are alike.
 */
function nameKind(list: KubeList<KubeObject>): void {
  const { apiVersion, kind } = list;
  const [first] = list.items;
  if (first?.kind !== undefined || apiVersion === undefined) return;
  if (kind === undefined || !kind.endsWith('List')) return;
  const itemKind = kind.slice(0, -'List'.length);
  for (const item of list.items) {
    // A server's mistake, which the reflector leaves out.
    if (typeof item !== 'object' || item === null) continue;
    item.apiVersion = apiVersion;
    item.kind = itemKind;
  }
}
