import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { apiVersionOf, isMethodNotSupported, isNotFound, type ResourceType } from '@windlass/apimachinery';
import { Namespace } from '@windlass/apimachinery/api/core/v1';
import type { Client } from '@windlass/client';

export interface Snapshot {
  readonly resourceVersion: string;
  readonly objects: number;
}

/**
 * Writes every object of the cluster to a file, one JSON object a line, all as they were at one version: the
 * state of the store at a moment, whether that is etcd or the embedded one. The file is there when it is
 * whole.
 */
export async function takeSnapshot(client: Client, file: string, signal: AbortSignal): Promise<Snapshot> {
  const { metadata } = await client.resource(Namespace).list({ limit: 1, signal });
  const resourceVersion = metadata.resourceVersion ?? '';
  const draft = `${file}.new`;
  const output = createWriteStream(draft, { mode: 0o600 });
  let objects = 0;
  try {
    for (const type of await storedTypes(client, signal)) {
      for await (const object of objectsOf(client, type, resourceVersion, signal)) {
        const line = `${JSON.stringify({ ...object, apiVersion: apiVersionOf(type), kind: type.kind })}\n`;
        objects++;
        if (!output.write(line)) await once(output, 'drain', { signal });
      }
    }
  } finally {
    output.end();
    await finished(output);
  }
  await rename(draft, file);
  return { resourceVersion, objects };
}

/** Each resource once, in the version that the server prefers. */
async function storedTypes(client: Client, signal: AbortSignal): Promise<ResourceType[]> {
  const registry = await client.discovery.registry({ signal });
  const seen = new Set<string>();
  return registry.groups.flatMap(({ group, versions }) =>
    versions.flatMap(({ resources }) =>
      resources.filter(({ plural, verbs }) => {
        const name = `${plural}.${group}`;
        // Events are shown in two groups, and are not worth keeping.
        if (seen.has(name) || plural === 'events' || !verbs.includes('list') || !verbs.includes('create'))
          return false;
        seen.add(name);
        return true;
      }),
    ),
  );
}

async function* objectsOf(client: Client, type: ResourceType, resourceVersion: string, signal: AbortSignal) {
  try {
    yield* client.resource(type).items({ resourceVersion, resourceVersionMatch: 'Exact', signal });
  } catch (error) {
    // What has gone since, or cannot be listed after all, is not in the state that is kept.
    if (!isNotFound(error) && !isMethodNotSupported(error)) throw error;
  }
}
