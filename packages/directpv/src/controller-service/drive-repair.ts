import { type Cached, isBeingDeleted, isNotFound } from '@windlass/apimachinery';
import type { Manager, ReconcileContext, ReconcileResult } from '@windlass/runtime';
import { repair, settle } from '../accounting/index.ts';
import {
  type DirectPVDrive,
  DirectPVSnapshot,
  DirectPVDrive as DriveType,
  holdsVolume,
  LABELS,
  readReservations,
  DirectPVVolume as VolumeType,
  volumesOfDrive,
} from '../resources/index.ts';
import type { ControllerContext } from './context.ts';
import { assess, type DriveProblem, problemKey } from './drive-assessment.ts';
import { DriveGoneError } from './errors.ts';
import { recordSize } from './expand-volume.ts';
import { findHolding, type Holding, holdingsOf } from './holdings.ts';
import type { RepairKind } from './metrics.ts';
import { ObservedAges } from './observed-ages.ts';

type Drive = Cached<DirectPVDrive>;

export interface DriveRepairOptions {
  /** How long something may be under way before it counts as left behind. */
  readonly graceMs: number;
  /** The volumes and snapshots by drive, from the cache. */
  readonly holdingsOf: (drive: string) => readonly Holding[];
}

/** Of the grace, so much more may pass. */
const JITTER = 0.1;

const COUNTED_AS: Readonly<Record<DriveProblem['kind'], RepairKind | undefined>> = {
  'not-adopted': 'adopted',
  orphan: 'abandoned-reservation',
  expansion: 'unfinished-expansion',
  settled: undefined,
  unheld: 'unheld-volume',
  sums: 'sums',
};

/**
 * Puts right what crashes leave: bytes set aside for volumes that were never made, expansions that stopped half-way,
 * volumes that no drive holds, sums that are wrong; and adopts the drives that DirectPV wrote. It acts only on what
 * has been so for a while, and on what the API server itself says then.
 */
export class DriveRepair {
  readonly #context: ControllerContext;
  readonly #options: DriveRepairOptions;
  readonly #ages: ObservedAges;

  constructor(context: ControllerContext, options: DriveRepairOptions) {
    this.#context = context;
    this.#options = options;
    this.#ages = new ObservedAges(context.clock);
  }

  addTo(manager: Manager): void {
    const { ledger } = this.#context;
    manager
      .controller('directpv-drive-repair')
      .for(DriveType)
      .watches(VolumeType, ({ metadata, status }) => [status.fsuuid, ...ledger.holdersOf(metadata.name)])
      .watches(DirectPVSnapshot, ({ metadata, status }) => [
        status.fsuuid,
        ...ledger.holdersOf(metadata.name),
      ])
      .reconcile((drive, run) => this.#reconcile(drive, run));
  }

  async #reconcile(name: string, { signal, logger }: ReconcileContext): Promise<ReconcileResult> {
    const { ledger, locks, metrics, random } = this.#context;
    const { graceMs, holdingsOf } = this.#options;
    const drive = ledger.get(name);
    const problems =
      drive === undefined
        ? []
        : assess(drive, holdingsOf(name), (volume) => this.#isHeldElsewhere(name, volume));
    const byKey = new Map(problems.map((problem) => [problemKey(problem), problem]));
    const ages = this.#ages.see(name, byKey.keys());
    const due: DriveProblem[] = [];
    let waitMs = Number.POSITIVE_INFINITY;
    for (const [key, problem] of byKey) {
      const left = (problem.kind === 'not-adopted' ? 0 : graceMs) - (ages.get(key) ?? 0);
      // What this process is at work on is not left behind, however long it takes.
      const isAtWork = 'volume' in problem && locks.has(problem.volume);
      if (left <= 0 && !isAtWork) due.push(problem);
      else waitMs = Math.min(waitMs, isAtWork ? graceMs : left);
    }
    if (due.length > 0) {
      let repaired: ReadonlySet<DriveProblem['kind']> = new Set();
      try {
        if (due.every(({ kind }) => kind === 'settled')) await this.#settle(name);
        else repaired = await this.#repair(name, due, signal);
      } catch (error) {
        if (!(error instanceof DriveGoneError)) throw error;
      }
      for (const { kind } of due) {
        const counted = COUNTED_AS[kind];
        if (counted === undefined || !repaired.has(kind)) continue;
        metrics.repaired(counted);
        logger.warn('a drive was put right', { drive: name, what: counted });
      }
    }
    if (!Number.isFinite(waitMs)) return {};
    // Replicas that saw it at the same time need not all come at the same time.
    return { requeueAfterMs: waitMs + random.next() * JITTER * graceMs };
  }

  async #settle(name: string): Promise<void> {
    const { holdingsOf } = this.#options;
    const recorded = new Map(
      holdingsOf(name).map(({ metadata, status }) => [metadata.name, status.totalCapacity]),
    );
    await this.#context.ledger.change(name, { apply: (drive) => settle(drive, (id) => recorded.get(id)) });
  }

  /**
   * Resolves with the kinds of problems that the drive really had when it was written. Caches may be behind, and nodes
   * may be at work: what is due was seen in a cache.
   */
  async #repair(
    name: string,
    due: readonly DriveProblem[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<DriveProblem['kind']>> {
    const { ledger } = this.#context;
    const finished = new Set<DriveProblem['kind']>();
    let found: readonly DriveProblem['kind'][] = [];
    // An expansion goes forward: somebody may already count on it, and going back could meet them half-way.
    for (const problem of due) {
      if (problem.kind !== 'expansion') continue;
      try {
        await recordSize(this.#context, problem.volume, problem.bytes, signal);
        finished.add('expansion');
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    const orphans = new Set(due.flatMap((problem) => (problem.kind === 'orphan' ? [problem.volume] : [])));
    const unheld = new Set(due.flatMap((problem) => (problem.kind === 'unheld' ? [problem.volume] : [])));
    let named: ReadonlyMap<string, Holding> = new Map();
    let others: ReadonlyMap<string, Holding> = new Map();
    await ledger.change(name, {
      signal,
      prepare: async () => {
        named = await this.#named(name, signal);
        others = await this.#others(name, named, signal);
      },
      apply: (drive) => {
        const tries = readReservations(drive);
        const volumes = new Map<string, number>();
        for (const [id, { status }] of named)
          if (holdsVolume(drive, id) || unheld.has(id)) volumes.set(id, status.totalCapacity);
        // A volume on another drive says nothing of a reservation here, which was another try. Without one it was
        // moved away: its node gives the bytes back when it has removed the data.
        for (const [id, { status }] of others)
          if (holdsVolume(drive, id) && !tries.has(id)) volumes.set(id, status.totalCapacity);
        const abandoned = new Set<string>();
        for (const id of orphans) {
          const other = others.get(id);
          if (named.has(id) || volumes.has(id)) continue;
          if (other === undefined || this.#isHeldBy(other.status.fsuuid, id)) abandoned.add(id);
        }
        const repaired = repair(drive, { volumes, abandoned });
        const counted = [...named.values(), ...others.values()].filter(({ metadata }) =>
          volumes.has(metadata.name),
        );
        found =
          repaired === drive
            ? []
            : assess(drive, counted, (id) => this.#isHeldElsewhere(name, id)).map(({ kind }) => kind);
        return repaired;
      },
    });
    return found.length === 0 ? new Set() : new Set([...finished, ...found]);
  }

  /** The volumes whose objects name the drive, without those that have been released by it. */
  async #named(name: string, signal: AbortSignal): Promise<Map<string, Holding>> {
    const { ledger } = this.#context;
    const named = new Map<string, Holding>();
    const drive = ledger.get(name);
    const labelSelector = `${LABELS.drive}=${name}`;
    for await (const volume of holdingsOf(this.#context, labelSelector, signal)) {
      const id = volume.metadata.name;
      if (volume.status.fsuuid !== name) continue;
      if (isBeingDeleted(volume) && !(drive !== undefined && holdsVolume(drive, id))) continue;
      named.set(id, volume);
    }
    return named;
  }

  /** What the drive holds besides, where there is an object. */
  async #others(
    name: string,
    named: ReadonlyMap<string, Holding>,
    signal: AbortSignal,
  ): Promise<Map<string, Holding>> {
    const others = new Map<string, Holding>();
    const drive = this.#context.ledger.get(name);
    for (const id of drive === undefined ? [] : volumesOfDrive(drive)) {
      if (named.has(id)) continue;
      const volume = await findHolding(this.#context, id, signal);
      if (volume !== undefined) others.set(id, volume);
    }
    return others;
  }

  #isHeldElsewhere(name: string, volume: string): boolean {
    return this.#context.ledger.holdersOf(volume).some((holder) => holder !== name);
  }

  #isHeldBy(name: string, volume: string): boolean {
    const drive: Drive | undefined = this.#context.ledger.get(name);
    return drive !== undefined && holdsVolume(drive, volume);
  }
}
