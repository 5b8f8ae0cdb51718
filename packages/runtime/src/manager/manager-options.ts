import type { MetricsRegistry } from '@windlass/base';
import type { InformerTarget } from '@windlass/informer';
import type { ClusterOptions } from '../cluster.ts';
import type { ControllerOptions } from '../controller-options.ts';
import type { LeaderElectionOptions } from '../leader-election/leader-elector.ts';
import type { Runnable } from '../runnable.ts';
import type { WebhookOptions } from '../webhooks/webhook-server.ts';
import type { Manager } from './manager.ts';

/** The cluster of a manager, and how it starts, leads and stops. */
export interface ManagerOptions extends Omit<ClusterOptions, 'assertMayWrite' | 'metrics'> {
  /** How long a stop waits for everything to end, in milliseconds. 0: not at all. @default 30000 */
  readonly gracefulStopMs?: number;
  /** For controllers that do not say. */
  readonly controllerDefaults?: Partial<
    Pick<ControllerOptions, 'concurrency' | 'maxRetries' | 'timeoutMs' | 'stuckAfterMs' | 'syncTimeoutMs'>
  >;
  /** One replica leads, and only there `leader` runnables and controllers run. @default every replica does all */
  readonly leaderElection?: LeaderElectionOptions;
  /** Where `/metrics` is served: `127.0.0.1:8080`, `:8080`. @default nowhere */
  readonly metricsAddress?: string;
  /** Where `/healthz` and `/readyz` are served. @default nowhere */
  readonly healthAddress?: string;
  /** Serves webhooks, with certificates made and replaced by itself. @default none are served */
  readonly webhooks?: WebhookOptions;
  /** A page that shows the manager's controllers at work: `liveConsole()` of `windlass/console`. @default none */
  readonly console?: ManagerConsole;
  /** Tells replicas apart, in leases and events. @default the host's name and a random part */
  readonly identity?: string;
  /** @default a new registry */
  readonly metrics?: MetricsRegistry;
  /** For one of several managers in a process that share the objects between them. @default it has all of them */
  readonly part?: ManagerPart;
}

/** What a manager has that is one of several. */
export interface ManagerPart {
  /** Tells its controllers from those of the others, in metrics and logs: `foos/3-of-12`. */
  readonly name: string;
  /** Whether it has only some of the objects of the kind. A controller for the kind then runs for those alone. */
  readonly isDivided: (target: InformerTarget) => boolean;
}

/** Shows a manager to people. */
export interface ManagerConsole {
  /** Runs with the manager's servers. */
  serve(manager: Manager): Runnable;
}

/** How long a stop waits unless `gracefulStopMs` says otherwise. */
export const DEFAULT_GRACEFUL_STOP_MS = 30_000;
