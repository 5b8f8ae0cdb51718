import type { Cached } from '@windlass/apimachinery';
import { type Counter, type MetricFamily, type Metrics, sleep } from '@windlass/base';
import type { RunnableContext } from '@windlass/runtime';
import { freeCapacity, overcommittedBytes } from '../accounting/index.ts';
import type { NodeContext } from '../node-service/node-context.ts';
import { volumeUsage } from '../node-service/stats.ts';
import { noteUsage } from '../node-service/volume-usage.ts';
import type { DeviceStatistics } from '../os/index.ts';
import {
  type DirectPVDrive,
  type DirectPVVolume,
  GROUP,
  isPublished,
  LABELS,
  problemOf,
} from '../resources/index.ts';
import { FollowedCounter, FollowedGauge } from './followed-series.ts';

const TENANT = `${GROUP}/tenant`;
/** Of the time, at most one part in so many goes into measuring: a volume of many files takes long to walk. */
const SHARE = 10;

/**
 * What a node measures of its volumes and drives. It is measured at regular times and not when somebody asks, so that
 * asking is cheap, and nobody who asks can wear the drives out.
 */
export class NodeMetrics {
  readonly #context: NodeContext;
  readonly #everyMs: number;
  readonly #usedBytes: FollowedGauge;
  readonly #totalBytes: FollowedGauge;
  readonly #ready: FollowedGauge;
  readonly #capacity: FollowedGauge;
  readonly #overcommitted: FollowedGauge;
  readonly #enforced: FollowedGauge;
  readonly #readLatency: FollowedGauge;
  readonly #writeLatency: FollowedGauge;
  readonly #waitTime: FollowedGauge;
  readonly #readBytes: FollowedCounter;
  readonly #writtenBytes: FollowedCounter;
  readonly #failures: MetricFamily<Counter>;
  readonly #last = new Map<string, DeviceStatistics>();

  constructor(metrics: Metrics, context: NodeContext, everyMs: number) {
    this.#context = context;
    this.#everyMs = everyMs;
    const gauge = (name: string, help: string, ...labelNames: string[]): FollowedGauge =>
      new FollowedGauge(metrics.gauge({ name: `directpv_stats_${name}`, help, labelNames }));
    const counter = (name: string, help: string): FollowedCounter =>
      new FollowedCounter(metrics.counter({ name: `directpv_stats_${name}`, help, labelNames: ['drive'] }));
    const volume = ['tenant', 'volumeID', 'node'];
    this.#usedBytes = gauge('bytes_used', 'Bytes that a published volume takes', ...volume);
    this.#totalBytes = gauge('bytes_total', 'Bytes that a published volume may have', ...volume);
    this.#ready = gauge('drive_ready', 'Whether a drive is ready (1) or not (0)', 'drive');
    this.#capacity = gauge('drive_capacity_bytes', 'Bytes of a drive, by what they are', 'drive', 'state');
    this.#overcommitted = gauge(
      'drive_overcommitted_bytes',
      'Bytes that volumes of a drive were promised and that it does not have',
      'drive',
    );
    this.#enforced = gauge(
      'drive_quota_enforced',
      'Whether volumes of a drive are stopped at their size (1) or not (0)',
      'drive',
    );
    const mean = 'on average since the last look';
    this.#readLatency = gauge('drive_read_latency_seconds', `What a read took, ${mean}`, 'drive');
    this.#writeLatency = gauge('drive_write_latency_seconds', `What a write took, ${mean}`, 'drive');
    this.#waitTime = gauge('drive_wait_time_seconds', `What a request waited and took, ${mean}`, 'drive');
    this.#readBytes = counter('drive_total_read_bytes', 'Bytes read from a drive');
    this.#writtenBytes = counter('drive_total_write_bytes', 'Bytes written to a drive');
    this.#failures = metrics.counter({
      name: 'directpv_stats_failures_total',
      help: 'Volumes and drives that could not be measured; their last values are not shown',
      labelNames: ['what'],
    });
  }

  readonly run = async ({ signal }: Pick<RunnableContext, 'signal'>): Promise<void> => {
    const { clock } = this.#context;
    try {
      while (!signal.aborted) {
        const started = clock.monotonic();
        await this.measure(signal);
        const tookMs = clock.monotonic() - started;
        await sleep(clock, Math.max(this.#everyMs, (SHARE - 1) * tookMs), signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };

  async measure(signal: AbortSignal): Promise<void> {
    const { local } = this.#context;
    const drives = local.drives();
    const byName = new Map(drives.map((drive) => [drive.metadata.name, drive]));
    for (const volume of local.volumes()) {
      const drive = byName.get(volume.status.fsuuid);
      if (isPublished(volume) && drive !== undefined) await this.#measureVolume(volume, drive, signal);
    }
    for (const drive of drives) await this.#measureDrive(drive, signal);
    for (const drive of this.#last.keys()) if (!byName.has(drive)) this.#forget(drive);
    for (const gauge of [this.#usedBytes, this.#totalBytes, this.#ready, this.#capacity]) gauge.endRound();
    for (const gauge of [this.#overcommitted, this.#enforced]) gauge.endRound();
    for (const gauge of [this.#readLatency, this.#writeLatency, this.#waitTime]) gauge.endRound();
  }

  async #measureVolume(
    volume: Cached<DirectPVVolume>,
    drive: Cached<DirectPVDrive>,
    signal: AbortSignal,
  ): Promise<void> {
    const { nodeName: node, logger } = this.#context;
    const volumeID = volume.metadata.name;
    const labels = { tenant: volume.metadata?.labels?.[TENANT] ?? '', volumeID, node };
    this.#totalBytes.set(labels, volume.status.totalCapacity);
    try {
      const { usedBytes } = await volumeUsage(this.#context, volume, drive, signal);
      this.#usedBytes.set(labels, usedBytes);
      await noteUsage(this.#context, volume, usedBytes, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // Counted, and no event: a drive that stays broken would write one at each look.
      this.#failures.labels({ what: 'volume' }).inc();
      logger.debug('a volume could not be measured', { volume: volumeID, error });
    }
  }

  async #measureDrive(object: Cached<DirectPVDrive>, signal: AbortSignal): Promise<void> {
    const { os, logger } = this.#context;
    const { metadata, status } = object;
    const drive = metadata.name;
    // Also of a drive that is gone: that is when somebody has to know.
    this.#ready.set({ drive }, status.status === 'Ready' ? 1 : 0);
    this.#overcommitted.set({ drive }, overcommittedBytes(object));
    this.#enforced.set({ drive }, problemOf(object, 'QuotaNotEnforced') === undefined ? 1 : 0);
    this.#capacity.set({ drive, state: 'free' }, freeCapacity(object));
    this.#capacity.set({ drive, state: 'allocated' }, status.allocatedCapacity);
    if (status.status === 'Lost') return;
    try {
      const now = await os.deviceStatistics(metadata?.labels?.[LABELS.driveName] ?? '');
      this.#follow(drive, now);
    } catch (error) {
      if (signal.aborted) throw error;
      this.#failures.labels({ what: 'drive' }).inc();
      logger.debug('a drive could not be measured', { drive, error });
    }
  }

  #follow(drive: string, now: DeviceStatistics): void {
    const last = this.#last.get(drive) ?? now;
    this.#last.set(drive, now);
    this.#readBytes.follow(drive, now.readBytes);
    this.#writtenBytes.follow(drive, now.writtenBytes);
    const [reads, writes] = [now.reads - last.reads, now.writes - last.writes];
    this.#readLatency.set({ drive }, mean(now.readSeconds - last.readSeconds, reads));
    this.#writeLatency.set({ drive }, mean(now.writeSeconds - last.writeSeconds, writes));
    this.#waitTime.set({ drive }, mean(now.waitSeconds - last.waitSeconds, reads + writes));
  }

  #forget(drive: string): void {
    this.#last.delete(drive);
    this.#readBytes.forget(drive);
    this.#writtenBytes.forget(drive);
  }
}

function mean(seconds: number, count: number): number {
  return count > 0 && seconds > 0 ? seconds / count : 0;
}
