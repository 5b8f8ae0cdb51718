import { isConditionTrue } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type Clock, sleep } from '@windlass/base';
import type { Client } from '@windlass/client';
import { installObjects } from '../admin/index.ts';
import { resourceOf } from '../admin/install/install.ts';

const KINDS: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'CSIDriver', 'StorageClass']);
const OWNER = 'directpv';
const POLL_MS = 10;

/**
 * What the driver needs of the API where its processes are not pods: the definitions, the driver and the storage
 * class. Resolves when the definitions are served.
 */
export async function ensureStorage(client: Client, clock: Clock, signal?: AbortSignal): Promise<void> {
  const call = signal === undefined ? {} : { signal };
  const objects = installObjects().filter(({ kind }) => KINDS.has(kind));
  for (const object of objects)
    await resourceOf(client, object).apply({ ...object }, { ...call, fieldManager: OWNER, force: true });
  const definitions = client.resource(CustomResourceDefinition);
  for (const { kind, metadata } of objects) {
    if (kind !== 'CustomResourceDefinition') continue;
    for (;;) {
      const { status } = await definitions.get(metadata?.name ?? '', call);
      if (isConditionTrue(status?.conditions ?? [], 'Established')) break;
      await sleep(clock, POLL_MS, signal);
    }
  }
}
