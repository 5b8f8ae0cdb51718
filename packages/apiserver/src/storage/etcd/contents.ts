// Everything that etcd has below the prefix, read in pages at one revision.
import { type Logger, toError } from '@windlass/base';
import type { JournalContents, JournalRecord } from '../journal.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { KeyValue } from './generated/rpc.ts';
import { rangeEnd, storeKey } from './keys.ts';
import type { ValueCodec } from './value-codec.ts';

const PAGE = 2000;

export interface ReadContents {
  readonly client: EtcdClient;
  readonly prefix: string;
  readonly values: ValueCodec;
  readonly logger: Logger;
}

/** @param revision 0 for the present */
export async function readContents(
  { client, prefix, values, logger }: ReadContents,
  revision: number,
): Promise<Pick<JournalContents, 'revision' | 'compactedRevision' | 'writes'>> {
  const begin = Buffer.from(`${prefix}/`);
  const end = rangeEnd(begin);
  const writes: JournalRecord[] = [];
  let at = revision;
  for (let key: Uint8Array = begin; ; ) {
    const page = await client.read('reading all objects', (etcd) =>
      etcd.range({ key, rangeEnd: end, limit: PAGE, revision: at }),
    );
    if (at === 0) at = page.header?.revision ?? 0;
    for (const pair of page.kvs) {
      const record = recordOf(prefix, values, pair, logger);
      if (record !== undefined) writes.push(record);
    }
    const last = page.kvs.at(-1);
    if (!page.more || last === undefined) break;
    key = Buffer.concat([last.key, Buffer.from([0])]);
  }
  writes.sort((a, b) => a.revision - b.revision);
  return { revision: at, compactedRevision: at, writes };
}

function recordOf(
  prefix: string,
  values: ValueCodec,
  { key, value, modRevision }: KeyValue,
  logger: Logger,
): JournalRecord | undefined {
  const name = storeKey(prefix, asText(key));
  if (name === undefined) return undefined;
  try {
    return { key: name, revision: modRevision, kept: values.decode(asText(key), value, modRevision) };
  } catch (error) {
    logger.error('an object in etcd cannot be read, and is left out', {
      key: asText(key),
      error: toError(error),
    });
    return undefined;
  }
}

export function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
