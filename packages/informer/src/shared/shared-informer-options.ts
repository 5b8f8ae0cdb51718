import type { KubeObject } from '@windlass/apimachinery';
import type { Clock, Logger, Metrics, Random } from '@windlass/base';
import type { Indexers } from '../cache/indexer.ts';
import type { PreparationOptions } from '../cache/object-preparation.ts';
import type { ListWatch } from '../list-watch/list-watch.ts';
import type { ReflectorTuning } from '../reflector/reflector-options.ts';
import type { Report } from '../reflector/reflector-state.ts';

/** What an informer watches, and how. */
export interface SharedInformerOptions<T extends KubeObject> extends ReflectorTuning, PreparationOptions<T> {
  readonly listWatch: ListWatch<T>;
  readonly resource: {
    readonly group: string;
    readonly plural: string;
    /** Both only for messages. */
    readonly version?: string;
    readonly kind?: string;
  };
  /** In metrics, logs and errors. @default the resource, as `deployments.apps` */
  readonly name?: string;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default the machine's generator */
  readonly random?: Random;
  /** @default errors are warnings of the process */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
  /** Besides the one by namespace. */
  readonly indexers?: Indexers<T>;
  /** For handlers that do not say. @default 0, which is never */
  readonly resyncMs?: number;
  /** Each reopening, relisting and failure, also those in mid-stream. What it throws is logged. */
  readonly onReport?: (report: Report) => void;
}
