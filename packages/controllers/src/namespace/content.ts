import {
  isMethodNotSupported,
  isNotFound,
  parseTime,
  type ResourceRegistry,
  type ServedResource,
} from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import type { Client, ResourceClient } from '@windlass/client';
import type { Findings } from './conditions.ts';

/** How long an object with a finalizer is given before it is looked at again. */
const FINALIZER_ESTIMATE_SECONDS = 15;

export interface ContentResult extends Findings {
  /** In how many seconds it is worth to look again; 0 when nothing is left. */
  readonly estimateSeconds: number;
}

export interface ContentOptions {
  readonly client: Client;
  readonly namespace: string;
  /** When the deletion of the namespace began. */
  readonly since: string;
  readonly now: number;
  readonly signal: AbortSignal;
  /** Throws when this process may not write now. */
  readonly assertMayWrite: () => void;
}

/** Each namespaced resource that can be deleted, once, in the version that the server prefers. */
export function deletable(registry: ResourceRegistry): ServedResource[] {
  return registry.groups.flatMap(({ versions }) => {
    const seen = new Set<string>();
    return versions
      .flatMap(({ resources }) => resources)
      .filter(({ plural, namespaced, verbs }) => {
        if (!namespaced || seen.has(plural)) return false;
        seen.add(plural);
        return verbs.includes('delete');
      });
  });
}

/**
 * Deletes everything in a namespace, of every kind that the server has, and tells what is left. Pods go
 * first, and everything else stays until the last of them is gone: they may need it to end well, and
 * policies that protect it must hold as long as they run.
 */
export async function deleteContent(options: ContentOptions): Promise<ContentResult> {
  const { discovery } = options.client;
  const registry = await discovery.refresh({ signal: options.signal });
  const pass = new Pass(options);
  const undiscovered = discovery.failed.map(({ group, version }) => `${group}/${version}`);
  const resources = deletable(registry);
  const isPod = ({ group, plural }: ServedResource): boolean => group === '' && plural === 'pods';
  for (const resource of resources.filter(isPod)) await pass.empty(resource);
  if (pass.isClean) for (const resource of resources) if (!isPod(resource)) await pass.empty(resource);
  return { undiscovered, ...pass.result };
}

class Pass {
  readonly #options: ContentOptions;
  readonly #failures: string[] = [];
  readonly #remaining = new Map<string, number>();
  readonly #finalizers = new Map<string, number>();
  #estimateSeconds = 0;

  constructor(options: ContentOptions) {
    this.#options = options;
  }

  get isClean(): boolean {
    return this.#failures.length === 0 && this.#remaining.size === 0;
  }

  get result(): Omit<ContentResult, 'undiscovered'> {
    return {
      failures: this.#failures,
      remaining: this.#remaining,
      finalizers: this.#finalizers,
      estimateSeconds: this.#estimateSeconds,
    };
  }

  /** Deletes all of one kind. What goes wrong is noted, and the next kind is not held up by it. */
  async empty(resource: ServedResource): Promise<void> {
    try {
      await this.#empty(resource);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      this.#failures.push(toError(error).message);
    }
  }

  async #empty(resource: ServedResource): Promise<void> {
    const { client, namespace, signal } = this.#options;
    const { group, version, plural, verbs } = resource;
    const objects: ResourceClient<object> = client.resource({ group, version, plural }).namespace(namespace);
    const estimate = group === '' && plural === 'pods' ? await this.#gracefulSeconds() : 0;
    if (!(verbs.includes('deletecollection') && (await this.#deleteCollection(objects)))) {
      if (!verbs.includes('list')) return;
      await this.#deleteEach(objects);
    }
    if (!verbs.includes('list')) return;
    const { items } = await objects.metadata.listAll({ signal });
    if (items.length === 0) return;
    this.#remaining.set(`${plural}.${group}`, items.length);
    const finalizers = items.flatMap(({ metadata }) => metadata.finalizers ?? []);
    for (const finalizer of finalizers)
      this.#finalizers.set(finalizer, (this.#finalizers.get(finalizer) ?? 0) + 1);
    if (estimate === 0 && finalizers.length === 0) {
      const resourceName = [group, version, plural].join('/');
      this.#failures.push(
        `unexpected items still remain in namespace: ${namespace} for gvr: ${resourceName}`,
      );
      return;
    }
    this.#estimateSeconds = Math.max(this.#estimateSeconds, estimate || FINALIZER_ESTIMATE_SECONDS);
  }

  /** False when the server cannot do that after all. */
  async #deleteCollection(objects: ResourceClient<object>): Promise<boolean> {
    const { signal, assertMayWrite } = this.#options;
    try {
      assertMayWrite();
      await objects.deleteCollection({ propagationPolicy: 'Background', signal });
      return true;
    } catch (error) {
      if (isMethodNotSupported(error) || isNotFound(error)) return false;
      throw error;
    }
  }

  async #deleteEach(objects: ResourceClient<object>): Promise<void> {
    const { signal, assertMayWrite } = this.#options;
    for await (const { metadata } of objects.metadata.items({ signal })) {
      assertMayWrite();
      try {
        await objects.delete(metadata.name ?? '', { propagationPolicy: 'Background', signal });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }

  /** The longest that a pod may take to end; 0 when that time is over. */
  async #gracefulSeconds(): Promise<number> {
    const { client, namespace, signal, since, now } = this.#options;
    let longest = 0;
    for await (const { spec, status } of client.resource(Pod).namespace(namespace).items({ signal })) {
      if (status?.phase === 'Succeeded' || status?.phase === 'Failed') continue;
      longest = Math.max(longest, spec?.terminationGracePeriodSeconds ?? 0);
    }
    return now - parseTime(since) >= longest * 1000 ? 0 : longest;
  }
}
