import { isConditionTrue, type Served } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type Clock, throwIfAborted } from '@windlass/base';
import type { Client } from '@windlass/client';
import { type InstallObject, installObjects } from '../admin/index.ts';
import { resourceOf } from '../admin/install/install.ts';
import { INSTALL_LABELS } from '../admin/install/shared.ts';
import { installSnapshots } from '../admin/install/snapshots.ts';
import { waitFor } from '../admin/wait-for.ts';

const KINDS: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'CSIDriver', 'StorageClass']);
const OWNER = 'directpv';
/** Of our own definitions; a cluster may have many others, and each is large. */
const OURS = `application-name=${INSTALL_LABELS['application-name']}`;

/**
 * What the driver needs of the API where its processes are not pods: the definitions, the driver, the storage class,
 * which is the default one, and the snapshot class. Resolves when the definitions are served.
 */
export async function ensureStorage(client: Client, clock: Clock, signal?: AbortSignal): Promise<void> {
  const call = signal === undefined ? {} : { signal };
  const objects = installObjects().filter(({ kind }) => KINDS.has(kind));
  for (const object of objects)
    await resourceOf(client, object).apply(
      { ...asDefault(object) },
      { ...call, fieldManager: OWNER, force: true },
    );
  const waiting = new Set(
    objects.flatMap(({ kind, metadata }) =>
      kind === 'CustomResourceDefinition' ? [metadata?.name ?? ''] : [],
    ),
  );
  const isDone = ({ metadata, status }: Served<CustomResourceDefinition>): boolean => {
    if (isConditionTrue(status?.conditions ?? [], 'Established')) waiting.delete(metadata.name);
    return waiting.size === 0;
  };
  const until = signal ?? new AbortController().signal;
  await waitFor(client, CustomResourceDefinition, isDone, { labelSelector: OURS, clock, signal: until });
  throwIfAborted(signal);
  await installSnapshots(client, { clock, ...call });
}

/** A claim that names no class gets a volume: there is no other storage here. */
function asDefault(object: InstallObject): InstallObject {
  if (object.kind !== 'StorageClass') return object;
  const annotations = {
    ...object.metadata?.annotations,
    'storageclass.kubernetes.io/is-default-class': 'true',
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
