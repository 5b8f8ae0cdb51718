import type { Gauge, MetricFamily, Metrics } from '@windlass/base';
import type { LevelLimits } from '../seats/concurrency-limits.ts';
import type { DemandStats } from '../seats/seat-demand.ts';

const GAUGES = {
  nominal_limit_seats: 'Seats that the level has nominally',
  lower_limit_seats: 'Seats that the level has when it lends all that it may',
  upper_limit_seats: 'Seats that the level has when it borrows all that it may',
  current_limit_seats: 'Seats that the level has now',
  demand_seats_high_watermark: 'The most seats that the level could use in the last period',
  demand_seats_average: 'How many seats the level could use in the last period, on average',
  demand_seats_stdev: 'The standard deviation of the seats that the level could use in the last period',
  demand_seats_smoothed: 'How many seats the level could use, smoothed',
  target_seats: 'How many seats the level would get if there were enough',
} as const;

type GaugeName = keyof typeof GAUGES;

/** The limits and the demand of priority levels, as gauges. */
export class LevelSeries {
  readonly #families: ReadonlyMap<GaugeName, MetricFamily<Gauge>>;

  constructor(metrics: Metrics) {
    // The keys of an object are its keys.
    const names = Object.keys(GAUGES) as GaugeName[];
    this.#families = new Map(
      names.map((name) => [
        name,
        metrics.gauge({
          name: `apiserver_flowcontrol_${name}`,
          help: GAUGES[name],
          labelNames: ['priority_level'],
        }),
      ]),
    );
  }

  limits(level: string, { nominal, lower, upper }: LevelLimits): void {
    this.#set(level, { nominal_limit_seats: nominal, lower_limit_seats: lower, upper_limit_seats: upper });
  }

  adjusted(level: string, demand: DemandStats, target: number, current: number): void {
    this.#set(level, {
      current_limit_seats: current,
      demand_seats_high_watermark: demand.highest,
      demand_seats_average: demand.average,
      demand_seats_stdev: demand.deviation,
      demand_seats_smoothed: demand.smoothed,
      target_seats: target,
    });
  }

  remove(level: string): void {
    for (const family of this.#families.values()) family.remove({ priority_level: level });
  }

  #set(level: string, values: Partial<Readonly<Record<GaugeName, number>>>): void {
    for (const [name, family] of this.#families) {
      const value = values[name];
      if (value !== undefined) family.labels({ priority_level: level }).set(value);
    }
  }
}
