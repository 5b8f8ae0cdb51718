// The sweeper decides about one object and deletes by a name, which another object has by then: a task that nobody has
// finished is gone. Seen in kubernetes#29522 (the node controller may delete a new Pod) and kcp-dev/kcp#628.
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
      const leftMs = Date.parse(task.metadata.creationTimestamp) + KEPT_MS - manager.clock.now();
      if (leftMs > 0) return { requeueAfterMs: leftMs };
      await tasks.delete(key, { signal });
      return undefined;
    });
}

export default defineSimulation('deleted-by-name', scenario(setUp));
