import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Clock, type Logger, onAbort, type Timer, toError } from '@windlass/base';
import { ChangeFeed } from '../change-feed.ts';
import type { DeviceChange } from '../operating-system.ts';
import { blockDeviceNames, readDeviceFacts, type SystemPaths } from './sysfs.ts';

export interface DeviceChangesOptions {
  readonly paths: SystemPaths;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly includes: (name: string) => boolean;
  /** How often `/sys/class/block` is compared, in milliseconds. */
  readonly pollMs: number;
  /** The program that tells of the kernel's events. */
  readonly udevadm: string;
}

/**
 * Changes of devices. The kernel's events come through `udevadm monitor`, since Node has no netlink sockets; where
 * it is missing or ends, and for what it may miss, names and sizes are compared from time to time.
 */
export function watchDevices(options: DeviceChangesOptions): AsyncIterable<DeviceChange> {
  const feed = new ChangeFeed<DeviceChange>((change) => change.name);
  const push = (change: DeviceChange): void => {
    if (options.includes(change.name)) feed.push(change);
  };
  listen(options, push);
  poll(options, push);
  return feed.read(options.signal);
}

/** `KERNEL[12.3] add      /devices/virtual/block/loop0 (block)` */
export function parseUevent(line: string): DeviceChange | undefined {
  const match = /^KERNEL\[[\d.]+\]\s+(\w+)\s+(\S+)\s+\(block\)/.exec(line);
  const name = match?.[2]?.split('/').at(-1);
  if (match === null || name === undefined || name === '') return undefined;
  const action = match[1] === 'add' || match[1] === 'remove' ? match[1] : 'change';
  return { action, name };
}

function listen(
  { udevadm, signal, logger }: DeviceChangesOptions,
  push: (change: DeviceChange) => void,
): void {
  if (signal.aborted) return;
  const child = spawn(udevadm, ['monitor', '--kernel', '--subsystem-match=block'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
  });
  const release = onAbort(signal, () => child.kill());
  // The poll goes on, so that a missing program costs seconds and nothing else.
  child.on('error', (error) => logger.info('devices are polled: udevadm cannot be run', { error }));
  child.on('exit', (code) => {
    release();
    // A Ctrl-C reaches it before it reaches us.
    if (!signal.aborted) logger.info('devices are polled: udevadm monitor has ended', { code });
  });
  if (child.stdout === null) return;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const change = parseUevent(line);
    if (change !== undefined) push(change);
  });
}

function poll(options: DeviceChangesOptions, push: (change: DeviceChange) => void): void {
  const { clock, signal, pollMs, logger } = options;
  let known: ReadonlyMap<string, string> | undefined;
  let timer: Timer | undefined;
  const look = async (): Promise<void> => {
    try {
      const found = await fingerprints(options);
      if (known !== undefined) for (const change of differences(known, found)) push(change);
      known = found;
    } catch (error) {
      logger.warn('devices could not be compared; it is tried again', { error: toError(error) });
    }
    if (!signal.aborted) timer = clock.setTimeout(() => void look(), pollMs, { keepAlive: false });
  };
  onAbort(signal, () => timer?.cancel());
  void look();
}

async function fingerprints({ paths, includes }: DeviceChangesOptions): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of (await blockDeviceNames(paths)).filter(includes)) {
    const facts = await readDeviceFacts(name, paths).catch(() => undefined);
    found.set(
      name,
      facts === undefined ? 'unreadable' : `${facts.majorMinor} ${facts.size} ${facts.readOnly}`,
    );
  }
  return found;
}

export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): DeviceChange[] {
  const changes: DeviceChange[] = [];
  for (const [name, fingerprint] of after) {
    const old = before.get(name);
    if (old === undefined) changes.push({ action: 'add', name });
    else if (old !== fingerprint) changes.push({ action: 'change', name });
  }
  for (const name of before.keys()) if (!after.has(name)) changes.push({ action: 'remove', name });
  return changes;
}
