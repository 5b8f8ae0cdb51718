import type { ClusterOptions } from '../cluster.ts';

/** How a cluster of a fleet is reached, and what is cached of it. */
export type MemberOptions = Omit<
  ClusterOptions,
  'name' | 'clock' | 'random' | 'logger' | 'metrics' | 'assertMayWrite'
>;

/** Where a provider tells of clusters. */
export interface FleetSink {
  /**
   * There is a cluster of this name. One that was there already is taken leave of and met anew, unless the version is the
   * same.
   * @param version changes when the way to the cluster does
   */
  readonly set: (name: string, version: string, options: MemberOptions) => void;
  /** It is gone. Nothing happens when it was not there. */
  readonly remove: (name: string) => void;
  /** All that there is has been told once. */
  readonly ready: () => void;
}

/** Knows which clusters there are. */
export interface ClusterProvider {
  /** In messages. */
  readonly name: string;
  /** Tells of clusters as they come and go, until the signal aborts. What it throws ends the manager. */
  run(sink: FleetSink, signal: AbortSignal): Promise<void>;
}
