interface Names {
  /** Of the operator. */
  readonly name: string;
  readonly kind: string;
  /** Where the kind is imported from. */
  readonly module: string;
  /** To src/operator.ts. */
  readonly operator: string;
}

export function controllerModule({ name, kind, module }: Names): string {
  return `// The reconciler: it looks at one ${kind} and makes what is as it should be. It may run at any time and any
// number of times, so it never counts on what happened before.
import type { Manager } from 'windlass/runtime';
import { ${kind} } from '${module}';

/** Which generation of the object was looked at last. */
export const SEEN = '${name}/seen-generation';

export function register${kind}Reconciler(manager: Manager): void {
  const objects = manager.objects(${kind});
  manager
    .controller('${kind.toLowerCase()}')
    .for(${kind})
    .reconcile(async (key, { signal, logger }) => {
      const object = await objects.find(key, { signal });
      // What it owned goes with it.
      if (object === undefined) return;
      // Put what is to be done for object.spec here. Without a change nothing is written.
      const generation = String(object.metadata.generation);
      if (object.metadata.annotations?.[SEEN] === generation) return;
      await objects.patch(key, { metadata: { annotations: { [SEEN]: generation } } }, { signal });
      logger.info('looked at a new generation', { generation });
    });
}
`;
}

export function controllerTest({ kind, module, operator }: Names): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordAccess, startTestCluster } from 'windlass/testing';
import { definitions, register, webhooks } from '${operator}';
import { SEEN } from './reconciler.ts';
import { ${kind} } from '${module}';

const access = recordAccess({ definitions });

test('each generation is looked at once', async () => {
  await using cluster = await startTestCluster({ definitions, webhooks });
  const { manager } = cluster.manager({ through: access.through });
  register(manager);
  await manager.start();
  const objects = cluster.client.resource(${kind}).namespace('default');
  await objects.create({ metadata: { name: 'first' }, spec: { text: 'hello' } });
  await cluster.settled();
  const { metadata } = await objects.get('first');
  assert.equal(metadata.annotations?.[SEEN], '1');
  await cluster.settled();
  assert.equal((await objects.get('first')).metadata.resourceVersion, metadata.resourceVersion);
});
`;
}
