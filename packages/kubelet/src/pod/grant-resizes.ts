import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { isEnding } from './next-step.ts';
import type { PodEvents } from './pod-events.ts';
import type { ContainerRecord, PodRecord } from './pod-record.ts';
import { needsRestart, type ResizePending, wantedResizes } from './resize.ts';

export interface ResizeActions {
  /** Why the node cannot give the pod what it asks for now; undefined: it can. */
  readonly admit: (pod: Cached<Pod>) => ResizePending | undefined;
  /** Stops a container, which is then started with the new resources. */
  readonly stop: (container: ContainerRecord) => void;
  readonly events: Pick<PodEvents, 'notResized' | 'killing' | 'resized'>;
}

/** Grants the resources that the pod's author wants, if the node has them: all or nothing. */
export function grantResizes(pod: Cached<Pod>, record: PodRecord, actions: ResizeActions): void {
  if (isEnding(pod, record)) return;
  const { admit, stop, events } = actions;
  const wanted = wantedResizes(pod, record);
  const before = record.resizePending;
  const pending = wanted.length === 0 ? undefined : admit(pod);
  record.resizePending = pending;
  if (pending !== undefined) {
    if (before?.reason !== pending.reason) events.notResized(pod, pending.reason, pending.message);
    return;
  }
  if (wanted.length === 0) return;
  for (const { spec, record: container } of wanted) {
    container.allocated = spec.resources ?? {};
    if (container.phase.kind === 'running' && needsRestart(spec, container.actual, container.allocated)) {
      events.killing(pod, container.name);
      stop(container);
    } else {
      if (container.phase.kind === 'running') container.phase.container.resize?.(container.allocated, pod);
      container.actual = container.allocated;
    }
  }
  events.resized(pod);
}
