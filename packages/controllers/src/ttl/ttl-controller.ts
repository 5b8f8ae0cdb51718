import { keyOf } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { annotationsOf } from '../shared/meta.ts';
import { TtlSteps } from './ttl-steps.ts';

const TTL = 'node.alpha.kubernetes.io/ttl';

/** Tells every node how long it may keep what it has read. */
export function addTtlController(manager: Manager, { name, concurrency }: ControllerOptions): void {
  const nodes = manager.objects(Node);
  const cached = manager.cluster.cache.kind(Node);
  const steps = new TtlSteps();
  manager
    .controller(name)
    .for(Node)
    .reconcile(
      async (key, { signal }) => {
        const node = await nodes.find(key, { signal });
        if (node === undefined) return;
        const wanted = String(steps.secondsFor(cached.list().length));
        if (annotationsOf(node)[TTL] === wanted) return;
        await nodes.patch(keyOf(node), { metadata: { annotations: { [TTL]: wanted } } }, { signal });
      },
      { concurrency },
    );
}
