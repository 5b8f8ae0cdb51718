import { Node } from '@windlass/apimachinery/api/core/v1';
import { type Clock, type Logger, sleep, toError, withDeadline } from '@windlass/base';
import { StoreClosedError } from '../storage/errors.ts';
import type { Store } from '../storage/store.ts';
import { listOfKind } from '../storage/stored-kinds.ts';
import { type NodeSamples, parseSamples, usageBetween } from './resource-samples.ts';
import type { MeasuredNode, UsageReader } from './usage.ts';

/** The text of `/metrics/resource` of a node's kubelet; undefined for a node that has none, as a simulated one. */
export type KubeletReader = (nodeName: string, signal: AbortSignal) => Promise<string | undefined>;

export interface KubeletUsageOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly readKubelet: KubeletReader;
}

interface Measured {
  readonly samples: NodeSamples;
  /** Undefined until there are two samples. */
  readonly usage: MeasuredNode | undefined;
}

/** How often nodes are asked, as metrics-server does. */
const PERIOD_MS = 15_000;
const TIMEOUT_MS = 10_000;

/** Asks the kubelets of all nodes what they measure, again and again, and keeps the last of it. */
export class KubeletUsage implements AsyncDisposable {
  readonly #options: KubeletUsageOptions;
  readonly #stopping = new AbortController();
  #last: ReadonlyMap<string, Measured> = new Map();
  #running: Promise<void> | undefined = undefined;

  constructor(options: KubeletUsageOptions) {
    this.#options = options;
  }

  /** What a node used, by its name; undefined until it was asked twice. */
  readonly read: UsageReader = (nodeName) => this.#last.get(nodeName)?.usage;

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #run(): Promise<void> {
    const { store, clock, logger } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const nodes = await listOfKind(store, Node);
        await this.#ask(nodes.map(({ metadata }) => metadata?.name ?? ''));
      } catch (error) {
        if (error instanceof StoreClosedError) return;
        logger.warn('nodes could not be asked what they use', { error: toError(error) });
      }
      await sleep(clock, PERIOD_MS, signal).catch(() => {});
    }
  }

  async #ask(names: readonly string[]): Promise<void> {
    const next = new Map<string, Measured>();
    await Promise.all(
      names.map(async (name) => {
        const samples = await this.#samplesOf(name);
        if (samples === undefined) return;
        const before = this.#last.get(name);
        next.set(name, { samples, usage: before && usageBetween(before.samples, samples) });
      }),
    );
    this.#last = next;
  }

  async #samplesOf(name: string): Promise<NodeSamples | undefined> {
    const { clock, logger, readKubelet } = this.#options;
    using deadline = withDeadline(clock, TIMEOUT_MS, `the metrics of node ${name}`, this.#stopping.signal);
    try {
      const text = await readKubelet(name, deadline.signal);
      return text === undefined ? undefined : parseSamples(text, clock.now());
    } catch (error) {
      logger.debug('a kubelet does not say what it measures', { node: name, error: toError(error) });
      return undefined;
    }
  }
}
