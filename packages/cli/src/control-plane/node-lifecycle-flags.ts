import { parseDuration } from '@windlass/apimachinery';
import type { AddControllersOptions } from '@windlass/controllers';
import { UsageError } from '../command-line/exit.ts';

export type NodeLifecycleOptions = NonNullable<AddControllersOptions['nodeLifecycle']>;
type Read = (flag: string, text: string) => number;

/** In milliseconds. */
export const readDuration: Read = (flag, text) => {
  try {
    const ms = parseDuration(text);
    if (ms > 0) return ms;
  } catch {
    // The same is wrong with it.
  }
  throw new UsageError(`${flag} must be a time such as 50s, but it is "${text}"`);
};

const number =
  (max: number): Read =>
  (flag, text) => {
    const value = Number(text);
    if (/^\d+(\.\d+)?$/.test(text) && value <= max) return value;
    throw new UsageError(`${flag} must be a number from 0 to ${max}, but it is "${text}"`);
  };

/** The flags of kube-controller-manager, and what each of them sets. */
const FLAGS: ReadonlyMap<string, readonly [keyof NodeLifecycleOptions, Read]> = new Map<
  string,
  readonly [keyof NodeLifecycleOptions, Read]
>([
  ['--node-monitor-period', ['monitorPeriodMs', readDuration]],
  ['--node-monitor-grace-period', ['graceMs', readDuration]],
  ['--node-startup-grace-period', ['startupGraceMs', readDuration]],
  ['--node-eviction-rate', ['evictionRate', number(1000)]],
  ['--secondary-node-eviction-rate', ['secondaryEvictionRate', number(1000)]],
  ['--large-cluster-size-threshold', ['largeZoneSize', number(1_000_000)]],
  ['--unhealthy-zone-threshold', ['unhealthyThreshold', number(1)]],
]);

/** What the flag sets; undefined when it is not one of these. */
export function nodeLifecycleFlag(flag: string, value: () => string): NodeLifecycleOptions | undefined {
  const [option, read] = FLAGS.get(flag) ?? [];
  return option === undefined || read === undefined ? undefined : { [option]: read(flag, value()) };
}

export const NODE_LIFECYCLE_HELP = `  --node-monitor-period, --node-monitor-grace-period, --node-startup-grace-period TIME
                       how often nodes are looked at, and how long they may be silent (default 5s, 50s, 1m)
  --node-eviction-rate, --secondary-node-eviction-rate, --large-cluster-size-threshold,
  --unhealthy-zone-threshold N
                       how fast pods are moved off nodes that are not well (default 0.1, 0.01, 50, 0.55)`;
