import { fieldOf } from '@windlass/base';
import type { RequestReport } from '@windlass/client';
import type { Reasons } from '@windlass/workqueue';
import { listen } from '../listen.ts';
import { type Reason, reasonText } from '../reason.ts';

/** So many versions are remembered: what comes back as an event comes back soon. */
const MAX_VERSIONS = 10_000;

interface Counted {
  readonly controller: string;
  readonly key: unknown;
  runs: number;
  /** Of them, how many were woken by what this process had written. */
  ownWakes: number;
  /** What it wrote last that woke it: `websites/status`. */
  written: string;
  last: Reasons<Reason>;
}

/** A key that ran often, and why. */
export interface BusyKey {
  readonly controller: string;
  readonly key: string;
  readonly runs: number;
  /** Whether most of its runs were woken by what this process writes. */
  readonly isOwn: boolean;
  /** `default/a ran 500 times, woken by its own write to websites/status`. */
  readonly text: string;
}

/**
 * Counts runs by key, and tells those that were woken by a write of this process from others. It listens to the requests
 * of the process until it is disposed.
 */
export class WakeCounts implements Disposable {
  readonly #counts = new Map<string, Counted>();
  /** By the version that a write made, what it wrote to. */
  readonly #written = new Map<string, string>();
  readonly #listening: Disposable;

  constructor() {
    this.#listening = listen('windlass:request:end', (report) => this.#note(report));
  }

  /** A run has ended. @returns how often the key has run by now */
  ran(controller: string, key: unknown, reasons: Reasons<Reason>): number {
    const id = `${controller}\0${String(key)}`;
    let counted = this.#counts.get(id);
    if (counted === undefined) {
      counted = { controller, key, runs: 0, ownWakes: 0, written: '', last: reasons };
      this.#counts.set(id, counted);
    }
    counted.runs++;
    counted.last = reasons;
    const own = reasons.kept.find(({ resourceVersion = '' }) => this.#written.has(resourceVersion));
    if (own !== undefined) {
      counted.ownWakes++;
      counted.written = this.#written.get(own.resourceVersion ?? '') ?? '';
    }
    return counted.runs;
  }

  /** Keys with at least so many runs, the busiest first. */
  busiest(atLeast: number): BusyKey[] {
    return [...this.#counts.values()]
      .filter(({ runs }) => runs >= atLeast)
      .toSorted((a, b) => b.runs - a.runs)
      .map(busyKey);
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }

  #note({ request, subject, response }: RequestReport): void {
    if (request.method === 'GET' || response === undefined || response.status >= 300) return;
    const version = fieldOf(fieldOf(response.body, 'metadata'), 'resourceVersion');
    if (typeof version !== 'string') return;
    this.#written.set(version, written(request, subject));
    if (this.#written.size <= MAX_VERSIONS) return;
    for (const oldest of this.#written.keys()) {
      this.#written.delete(oldest);
      return;
    }
  }
}

/** `websites/status`: the status of an object is what reconcilers write most. */
function written({ path }: RequestReport['request'], { resource }: RequestReport['subject']): string {
  const name = resource?.resource ?? 'an object';
  return path.endsWith('/status') && !name.endsWith('/status') ? `${name}/status` : name;
}

function busyKey({ controller, key, runs, ownWakes, written: to, last }: Counted): BusyKey {
  const isOwn = ownWakes * 2 > runs;
  const why = isOwn
    ? `woken by its own write to ${to}`
    : `last because of ${last.kept.map(reasonText).join(', ') || 'nothing that is known'}`;
  return { controller, key: String(key), runs, isOwn, text: `${String(key)} ran ${runs} times, ${why}` };
}
