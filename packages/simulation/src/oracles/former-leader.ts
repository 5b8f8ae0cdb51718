import type { Lease } from '@windlass/apimachinery/api/coordination/v1';
import type { JournalEntry } from '../journal-entry.ts';
import { isHeartbeat } from '../world/journal.ts';
import { nameOfKey } from '../world/kept.ts';
import type { Replica } from '../world/replicas.ts';

interface Holding {
  readonly holder: string;
  readonly fromMs: number;
}

/** Whether somebody wrote who had lost its lease to another when it sent the request. */
export class FormerLeaders {
  /** By process, the key of what it must hold to write. */
  readonly #leases: ReadonlyMap<string, string>;
  readonly #holders = new Map<string, Holding[]>();

  constructor(replicas: readonly Pick<Replica, 'name' | 'lease'>[]) {
    this.#leases = new Map(
      replicas.flatMap(({ name, lease }) =>
        lease === undefined ? [] : [[name, `${lease.namespace}/${lease.name}`]],
      ),
    );
  }

  /** @returns what is wrong with the write; undefined when nothing is */
  check(entry: JournalEntry, sentAtMs: number): string | undefined {
    if (/\/leases\//.test(entry.key)) this.#note(entry);
    const lease = this.#leases.get(entry.by);
    if (lease === undefined || isHeartbeat(entry)) return undefined;
    const holdings = this.#holders.get(lease) ?? [];
    const then = holdings.findLast(({ fromMs }) => fromMs <= sentAtMs);
    if (then === undefined || then.holder === '' || isOf(then.holder, entry.by)) return undefined;
    return `${entry.by} ${entry.verb}s ${nameOfKey(entry.key)}, sent at ${sentAtMs.toFixed(0)} ms, although ${then.holder} has led since ${then.fromMs.toFixed(0)} ms`;
  }

  #note({ key, object, atMs }: JournalEntry): void {
    const [namespace = '', name = ''] = key.split('/').slice(-2);
    // The key says that it is one.
    const holder = (object as Lease).spec?.holderIdentity ?? '';
    const holdings = this.#holders.get(`${namespace}/${name}`) ?? [];
    this.#holders.set(`${namespace}/${name}`, holdings);
    if (holdings.at(-1)?.holder !== holder) holdings.push({ holder, fromMs: atMs });
  }
}

/** Identities are the process's name and how often it was started. */
function isOf(identity: string, process: string): boolean {
  return identity.slice(0, identity.lastIndexOf('-')) === process;
}
