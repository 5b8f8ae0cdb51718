import type { Cached } from '@windlass/apimachinery';
import type { Random } from '@windlass/base';
import { type DirectPVDrive, GROUP, LABELS } from '../resources/index.ts';
import { type DriveCriteria, isIn, isSchedulable, meets, type TopologySegments } from './criteria.ts';
import { freeCapacity } from './measured-capacity.ts';
import { type IndexedDrive, OrderedDrives } from './ordered-drives.ts';

type Drive = Cached<DirectPVDrive>;

/** Which drive a volume may have. */
export interface DriveQuery extends DriveCriteria {
  /** A drive has at least so many bytes free. */
  readonly bytes: number;
  /** Tried one after the other, before all others. @default none */
  readonly preferred?: readonly TopologySegments[];
  /** The drive is in one of these. Empty: it may be anywhere. @default anywhere */
  readonly requisite?: readonly TopologySegments[];
  /** Drives that are not wanted, by name. @default none */
  readonly except?: ReadonlySet<string>;
}

interface Entry {
  readonly indexed: IndexedDrive;
  readonly orders: readonly OrderedDrives[];
}

/** How often chance may hit a drive that does not serve before all that are as free are looked at. */
const PROBES = 8;

const EVERYWHERE: TopologySegments = {};
/** Every drive has the same, or no volume asks for them. */
const NOT_INDEXED: ReadonlySet<string> = new Set([
  LABELS.version,
  LABELS.createdBy,
  LABELS.identity,
  LABELS.driveName,
]);

/**
 * Drives by what volumes ask for, ordered by free bytes. It holds those only that take new volumes.
 *
 * A search looks at the shortest of the orders that its topology and labels name, from the most free drive on, so that
 * it costs the same with a hundred drives as with many thousands, as long as one wish alone narrows it down: a search
 * for two labels that many drives have, but few both, looks at those with the rarer one.
 */
export class DriveIndex {
  readonly #random: Random;
  readonly #all = new OrderedDrives('');
  readonly #byTerm = new Map<string, OrderedDrives>();
  readonly #byName = new Map<string, Entry>();

  constructor({ random }: { readonly random: Random }) {
    this.#random = random;
  }

  /** How many drives take volumes. */
  get size(): number {
    return this.#all.size;
  }

  /**
   * Takes in a drive's new state.
   * @param withheld bytes that are free but already spoken for
   */
  set(drive: Drive, withheld = 0): void {
    const name = drive.metadata.name;
    const before = this.#byName.get(name);
    const free = freeCapacity(drive) - withheld;
    if (before?.indexed.drive === drive && before.indexed.free === free) return;
    this.#byName.delete(name);
    if (isSchedulable(drive)) {
      const indexed: IndexedDrive = { name, drive, free };
      // Most often only the bytes are others: then it belongs where it was.
      const orders = before?.indexed.drive === drive ? before.orders : this.#ordersOf(drive);
      for (const order of orders) order.add(indexed);
      this.#byName.set(name, { indexed, orders });
    }
    // After the new one has come: an order that is empty for a moment only is kept.
    if (before !== undefined) this.#remove(before);
  }

  delete(name: string): void {
    const entry = this.#byName.get(name);
    if (entry === undefined) return;
    this.#byName.delete(name);
    this.#remove(entry);
  }

  #remove({ indexed, orders }: Entry): void {
    for (const order of orders) {
      order.remove(indexed);
      if (order.size === 0) this.#byTerm.delete(order.term);
    }
  }

  /** The orders that a drive belongs in. */
  #ordersOf(drive: Drive): OrderedDrives[] {
    const orders = [this.#all];
    for (const term of termsOf(drive)) {
      let order = this.#byTerm.get(term);
      if (order === undefined) {
        order = new OrderedDrives(term);
        this.#byTerm.set(term, order);
      }
      orders.push(order);
    }
    return orders;
  }

  /** The most free drive that serves; one of them by chance when several are as free. */
  choose(query: DriveQuery): IndexedDrive | undefined {
    const { preferred = [], requisite = [] } = query;
    for (const place of preferred) {
      const found = this.#mostFree(place, query);
      if (found !== undefined) return found;
    }
    let best: IndexedDrive | undefined;
    let tied = 0;
    for (const place of requisite.length === 0 ? [EVERYWHERE] : requisite) {
      const found = this.#mostFree(place, query);
      if (found === undefined || (best !== undefined && found.free < best.free)) continue;
      tied = best?.free === found.free ? tied + 1 : 1;
      if (tied === 1 || this.#random.int(tied) === 0) best = found;
    }
    return best;
  }

  /** Bytes that volumes of this kind can have in a place, together and the largest. Looks at every drive there. */
  capacity(place: TopologySegments, criteria: DriveCriteria): { total: number; largest: number } {
    let [total, largest] = [0, 0];
    for (const { drive, free } of this.#narrowest(place, criteria) ?? []) {
      if (free <= 0 || !isIn(drive, place) || !meets(drive, criteria)) continue;
      total += free;
      largest = Math.max(largest, free);
    }
    return { total, largest };
  }

  #mostFree(place: TopologySegments, query: DriveQuery): IndexedDrive | undefined {
    const drives = this.#narrowest(place, query);
    if (drives === undefined) return undefined;
    const serves = ({ name, drive }: IndexedDrive): boolean =>
      query.except?.has(name) !== true && isIn(drive, place) && meets(drive, query);
    for (let start = 0; ; ) {
      const first = drives.at(start);
      if (first === undefined || first.free < query.bytes) return undefined;
      const end = drives.endOf(first.free);
      const found = this.#anyOf(drives, start, end, serves);
      if (found !== undefined) return found;
      start = end;
    }
  }

  /** Each that serves is as likely. Almost always the first look at a random one is enough. */
  #anyOf(
    drives: OrderedDrives,
    start: number,
    end: number,
    serves: (drive: IndexedDrive) => boolean,
  ): IndexedDrive | undefined {
    const probes = end - start > PROBES ? PROBES : 0;
    for (let probe = 0; probe < probes; probe++) {
      const drive = drives.at(start + this.#random.int(end - start));
      if (drive !== undefined && serves(drive)) return drive;
    }
    const serving: IndexedDrive[] = [];
    for (let position = start; position < end; position++) {
      const drive = drives.at(position);
      if (drive !== undefined && serves(drive)) serving.push(drive);
    }
    return serving.length <= 1 ? serving[0] : serving[this.#random.int(serving.length)];
  }

  /** The shortest order in which every drive that serves is; undefined when there is none. */
  #narrowest(place: TopologySegments, { labels }: DriveCriteria): OrderedDrives | undefined {
    let narrowest: OrderedDrives | undefined = this.#all;
    for (const [kind, wishes] of [['topology', place] as const, ['label', labels] as const]) {
      for (const [key, value] of Object.entries(wishes)) {
        if (!isIndexed(kind, key)) continue;
        const drives = this.#byTerm.get(termOf(kind, key, value));
        if (drives === undefined) return undefined;
        if (drives.size < narrowest.size) narrowest = drives;
      }
    }
    return narrowest;
  }
}

type TermKind = 'topology' | 'label';

function termOf(kind: TermKind, key: string, value: string): string {
  return `${kind} ${key}=${value}`;
}

function isIndexed(kind: TermKind, key: string): boolean {
  if (NOT_INDEXED.has(key)) return false;
  return kind === 'topology' || (key.startsWith(`${GROUP}/`) && !key.startsWith(`${LABELS.volumeClaimId}-`));
}

function* termsOf({ metadata, status }: Drive): Iterable<string> {
  for (const [key, value] of Object.entries(status.topology))
    if (isIndexed('topology', key)) yield termOf('topology', key, value);
  for (const [key, value] of Object.entries(metadata?.labels ?? {}))
    if (isIndexed('label', key)) yield termOf('label', key, value);
}
