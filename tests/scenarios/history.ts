// What one could see on the way: the conditions that objects went through, and the order of stateful pods.
import { findCondition, type KubeObject, keyOf, type ResourceType } from '@windlass/apimachinery';
import * as apps from '@windlass/apimachinery/api/apps/v1';
import * as batch from '@windlass/apimachinery/api/batch/v1';
import * as core from '@windlass/apimachinery/api/core/v1';
import * as policy from '@windlass/apimachinery/api/policy/v1';
import type { Client } from '@windlass/client';

const WATCHED: readonly ResourceType[] = [
  core.Pod,
  core.ReplicationController,
  apps.Deployment,
  apps.ReplicaSet,
  apps.StatefulSet,
  apps.DaemonSet,
  apps.ControllerRevision,
  batch.Job,
  policy.PodDisruptionBudget,
];

/** States that one sees or not, as it happens. */
const PASSING = new Set([
  // Written in the middle of a run; where that write meets a conflict, the next run does not repeat it.
  'Progressing True NewReplicaSetCreated',
  // Between two looks of the controller nothing may have been to do.
  'Progressing True ReplicaSetUpdated',
  // There before the first pod is ready, unless that was faster.
  'Available False MinimumReplicasUnavailable',
]);

interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly { type: string; status: string; reason?: string }[] };
}

/** Follows a namespace from its beginning until it is disposed of. */
export class History implements AsyncDisposable {
  readonly #stopping = new AbortController();
  readonly #watches: Promise<void>[] = [];
  readonly #objects = new Map<string, KubeObject>();
  /** `Deployment web: Progressing` → what it said, one after the other. */
  readonly #conditions = new Map<string, string[]>();
  readonly #order: string[] = [];
  #isOrdered = true;

  static async follow(client: Client, namespace: string): Promise<History> {
    const history = new History();
    for (const type of WATCHED) {
      const resource = client.resource(type).namespace(namespace);
      const { metadata } = await resource.list();
      history.#watches.push(
        history.#watch(type.kind, () =>
          resource.watch({
            resourceVersion: metadata.resourceVersion ?? '',
            signal: history.#stopping.signal,
          }),
        ),
      );
    }
    return history;
  }

  /** Every object that there was. */
  objects(): KubeObject[] {
    return [...this.#objects.values()];
  }

  lines(): string[] {
    return [
      ...[...this.#conditions].map(([what, states]) => `History: ${what}: ${states.join(' > ')}`),
      ...(this.#order.length === 0 ? [] : [`History: stateful pods: ${this.#order.join(' ')}`]),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#watches);
  }

  async #watch(kind: string, open: () => AsyncIterable<{ type: string; object: KubeObject }>): Promise<void> {
    try {
      for await (const { type, object } of open()) if (type !== 'BOOKMARK') this.#see(kind, type, object);
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error;
    }
  }

  #see(kind: string, event: string, object: Conditioned): void {
    const name = object.metadata?.name ?? '';
    this.#objects.set(`${kind} ${keyOf(object)} ${object.metadata?.uid}`, { ...object, kind });
    if (kind === 'StatefulSet' && !hasOrder(event, object)) this.#isOrdered = false;
    if (kind === 'Pod') {
      const isStateful =
        this.#isOrdered && object.metadata?.labels?.['apps.kubernetes.io/pod-index'] !== undefined;
      if (isStateful && event === 'ADDED') this.#order.push(`+${name}`);
      if (isStateful && event === 'DELETED') this.#order.push(`-${name}`);
      return;
    }
    for (const { type } of object.status?.conditions ?? []) {
      const what = `${kind} ${name}: ${type}`;
      const states = this.#conditions.get(what) ?? [];
      this.#conditions.set(what, states);
      const found = findCondition(object.status?.conditions, type);
      const state = `${found?.status} ${found?.reason ?? ''}`.trim();
      if (states.at(-1) !== state && !PASSING.has(`${type} ${state}`)) states.push(state);
    }
  }
}

/** Pods of a set that goes, and of a parallel one, come and go in any order. */
function hasOrder(event: string, { metadata, spec }: KubeObject & { readonly spec?: unknown }): boolean {
  const isParallel = JSON.stringify(spec).includes('"podManagementPolicy":"Parallel"');
  return event !== 'DELETED' && metadata?.deletionTimestamp === undefined && !isParallel;
}
