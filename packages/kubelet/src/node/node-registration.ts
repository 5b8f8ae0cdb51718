import type { Cached, DeepReadonly, Served } from '@windlass/apimachinery';
import { findCondition, isAlreadyExists, parseTime } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import type { CachedKind, Manager, Reconcile } from '@windlass/runtime';
import { hasStatusChanged, type NodeFacts, nodeLabels, nodeObject, nodeStatus } from './node-object.ts';
import type { CompleteNodeSpec } from './node-spec.ts';

export interface NodeRegistrationOptions {
  readonly manager: Manager;
  readonly specs: ReadonlyMap<string, CompleteNodeSpec>;
  readonly nodes: CachedKind<Node>;
  readonly runtimeVersion: string;
  /** Whether it can be asked for logs, commands and ports. @default false */
  readonly isServing?: boolean;
  /** Why nodes cannot run pods now; undefined: they can. */
  readonly problem: () => string | undefined;
  /** Without news the status is written this often, in milliseconds. */
  readonly reportMs: number;
  readonly onRegistered: (name: string) => void;
  readonly volumesInUse: (name: string) => readonly string[];
}

/**
 * Registers nodes and keeps their status. A node that somebody deletes stays deleted until the agent is
 * started anew, as with any other node agent.
 */
export class NodeRegistration {
  readonly #options: NodeRegistrationOptions;
  readonly #registered = new Set<string>();
  /** By node, when its status was last written, in milliseconds since 1970. */
  readonly #reportedAt = new Map<string, number>();

  constructor(options: NodeRegistrationOptions) {
    this.#options = options;
  }

  readonly reconcile: Reconcile = async (name, { signal }) => {
    const { manager, specs, nodes, onRegistered } = this.#options;
    const spec = specs.get(name);
    if (spec === undefined) return;
    if (!this.#registered.has(name)) {
      await this.#register(spec, signal);
      this.#registered.add(name);
      onRegistered(name);
      return;
    }
    const node = nodes.find(name);
    if (node === undefined) return;
    const now = manager.clock.now();
    const { reportMs } = this.#options;
    const status = nodeStatus(spec, node.status, this.#facts(name));
    const isDue = now - (this.#reportedAt.get(name) ?? lastHeartbeat(node)) >= reportMs;
    if (isDue || hasStatusChanged(node.status, status)) await this.#report(spec, node, signal);
  };

  async #register(spec: CompleteNodeSpec, signal: AbortSignal): Promise<void> {
    const client = this.#options.manager.client.resource(Node);
    let node: Served<Node>;
    try {
      node = await client.create(nodeObject(spec, this.#facts(spec.name)), { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // It was here before: whoever has changed its labels or taints since then keeps the right to do so.
      node = await client.patch(spec.name, { metadata: { labels: nodeLabels(spec) } }, { signal });
    }
    await this.#report(spec, node, signal);
  }

  async #report(spec: CompleteNodeSpec, node: Cached<Node>, signal: AbortSignal): Promise<void> {
    const { manager } = this.#options;
    const facts = this.#facts(spec.name);
    const status = nodeStatus(spec, node.status, facts);
    await manager.client.resource(Node).status.patch(spec.name, { status }, { type: 'strategic', signal });
    this.#reportedAt.set(spec.name, facts.now);
  }

  #facts(name: string): NodeFacts {
    const { manager, runtimeVersion, volumesInUse, problem, isServing = false } = this.#options;
    return {
      runtimeVersion,
      isServing,
      problem: problem(),
      now: manager.clock.now(),
      volumesInUse: volumesInUse(name),
    };
  }
}

function lastHeartbeat({ status }: DeepReadonly<Node>): number {
  const time = findCondition(status?.conditions, 'Ready')?.lastHeartbeatTime;
  return time === undefined || time === null ? 0 : parseTime(time);
}
