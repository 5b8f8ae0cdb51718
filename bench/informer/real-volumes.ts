// The volumes in a real cluster, as custom resources.
import type { KubeObject } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { type RealCluster, startRealCluster } from '../../tests/real/harness/real-cluster.ts';
import { putObjects } from '../../tests/real/support/etcd-keys.ts';
import { VOLUME, volume } from './volumes.ts';

/** A cluster that holds `count` volumes, as large as those of the replay server. */
export async function startClusterWithVolumes(
  count: number,
  log: (line: string) => void,
): Promise<RealCluster> {
  const cluster = await startRealCluster({ log });
  try {
    await using client = createClient({ config: await loadConfig({ path: cluster.kubeconfigPath }) });
    await createDefinition(client);
    const volumes = Array.from({ length: count }, (_, index) => stored(index));
    await putObjects(cluster.etcdUrl, `${VOLUME.group}/${VOLUME.plural}`, volumes);
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

/** As the API server stores it: the version is etcd's. */
function stored(index: number): KubeObject {
  const { metadata, ...rest } = volume(index);
  const { resourceVersion: _, ...own } = metadata ?? {};
  return { ...rest, metadata: own };
}
