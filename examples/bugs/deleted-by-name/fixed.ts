// The deletion says which object is meant. If the name has another owner by then the server refuses it (409), and the
// next run looks again.
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { Task } from '../kinds.ts';
import { KEPT_MS, scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const tasks = manager.objects(Task);

  manager
    .controller('sweeper')
    .for(Task)
    .reconcile(async (key, { signal }) => {
      const task = await tasks.find(key, { signal });
      if (task?.spec.isFinished !== true) return;
      const { creationTimestamp, uid } = task.metadata;
      const leftMs = Date.parse(creationTimestamp) + KEPT_MS - manager.clock.now();
      if (leftMs > 0) return { requeueAfterMs: leftMs };
      await tasks.delete(key, { preconditions: { uid }, signal });
      return undefined;
    });
}

export default defineSimulation('deleted-by-name-fixed', scenario(setUp));
