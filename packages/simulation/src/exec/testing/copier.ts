// A small operator, as a command: copies each Secret with the label `copy` to a ConfigMap. Run with `careless`, it lets the
// server choose the name of the copy, and so makes two where it does not hear of the first.
import { isAlreadyExists, setControllerReference } from '@windlass/apimachinery';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { loadConfig } from '@windlass/client';
import { Manager } from '@windlass/runtime';

const isCareless = process.argv.includes('careless');
const manager = new Manager({ config: await loadConfig() });
const secrets = manager.objects(Secret);
const maps = manager.objects(ConfigMap);

manager
  .controller('copier')
  .for(Secret)
  .owns(ConfigMap)
  .reconcile(async (key) => {
    const original = await secrets.find(key);
    if (original?.metadata.labels?.['copy'] === undefined) return;
    const { name, namespace } = original.metadata;
    const copies = await maps.list({ namespace });
    if (copies.some(({ metadata }) => metadata.labels?.['copy-of'] === name)) return;
    const copy = {
      metadata: {
        namespace,
        labels: { 'copy-of': name },
        ...(isCareless ? { generateName: `${name}-copy-` } : { name: `${name}-copy` }),
      },
      data: { of: name },
    };
    try {
      await maps.create(setControllerReference(original, copy, { ownerType: Secret }));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  });

await manager.run(new AbortController().signal);
