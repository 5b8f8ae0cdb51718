// The volumes in a real cluster, as custom resources.
import type { KubeObject } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { type RealCluster, startRealCluster } from '../../tests/real/harness/real-cluster.ts';
import { VOLUME, volume } from './volumes.ts';

const WRITERS = 32;

/** A cluster that holds `count` volumes. */
export async function startClusterWithVolumes(
  count: number,
  log: (line: string) => void,
): Promise<RealCluster> {
  const cluster = await startRealCluster({ log });
  try {
    log(`making ${count} custom resources`);
    await using client = createClient({ config: await loadConfig({ path: cluster.kubeconfigPath }) });
    await createDefinition(client);
    await createVolumes(client, count);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function createDefinition(client: Client): Promise<void> {
  const { group, version, kind, plural } = VOLUME;
  const definitions = client.resource(CustomResourceDefinition);
  const name = `${plural}.${group}`;
  await definitions.create({
    metadata: { name },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  for await (const { object } of definitions.watch({ fieldSelector: `metadata.name=${name}` })) {
    const { conditions } = (object as CustomResourceDefinition).status ?? {};
    if (conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true) break;
  }
  // It is served a moment after it says so.
  for (;;) {
    if (
      await client
        .resource(VOLUME)
        .list({ limit: 1 })
        .then(Boolean, () => false)
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function createVolumes(client: Client, count: number): Promise<void> {
  const volumes = client.resource(VOLUME);
  let next = 0;
  const writer = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const { metadata, ...rest } = volume(index) as KubeObject;
      const { uid: _uid, resourceVersion: _version, creationTimestamp: _created, ...own } = metadata ?? {};
      await volumes.create({ ...rest, metadata: own });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}
