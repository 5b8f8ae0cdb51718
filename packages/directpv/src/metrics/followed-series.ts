import type { Counter, Gauge, LabelValues, MetricFamily } from '@windlass/base';

/** Gauges of things that come and go: what is not set in a round is no longer shown after it. */
export class FollowedGauge {
  readonly #family: MetricFamily<Gauge>;
  #shown = new Map<string, LabelValues>();
  #round = new Map<string, LabelValues>();

  constructor(family: MetricFamily<Gauge>) {
    this.#family = family;
  }

  set(labels: LabelValues, value: number): void {
    this.#round.set(JSON.stringify(labels), labels);
    this.#family.labels(labels).set(value);
  }

  endRound(): void {
    for (const [key, labels] of this.#shown) if (!this.#round.has(key)) this.#family.remove(labels);
    this.#shown = this.#round;
    this.#round = new Map();
  }
}

/** Counters that somebody else counts: what they have risen by since the last round is added. */
export class FollowedCounter {
  readonly #family: MetricFamily<Counter>;
  readonly #last = new Map<string, number>();

  constructor(family: MetricFamily<Counter>) {
    this.#family = family;
  }

  follow(drive: string, total: number): void {
    const last = this.#last.get(drive) ?? 0;
    this.#last.set(drive, total);
    // A device that was plugged in again counts from its start.
    this.#family.labels({ drive }).inc(total >= last ? total - last : total);
  }

  forget(drive: string): void {
    if (this.#last.delete(drive)) this.#family.remove({ drive });
  }
}
