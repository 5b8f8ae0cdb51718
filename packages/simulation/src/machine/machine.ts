import type { Clock, Random } from '@windlass/base';
import { FakeOperatingSystem, type OperatingSystem, OperatingSystemError } from '@windlass/directpv';

/** Calls into the machine take between these, in milliseconds, so that a process can die between any two. */
const MIN_CALL_MS = 0.05;
const MAX_CALL_MS = 2;
/** What a call into a slow drive takes beside that. */
const SLOW_MS = 3000;
/** What needs room. */
const GROWING: ReadonlySet<string | symbol> = new Set(['makeDirectory', 'writeFile', 'link', 'copyTree']);

/** Who uses a machine: with its end its calls end. */
export interface MachineUser {
  readonly clock: Clock;
  readonly random: Random;
  /** What a call of it fails with, without having done anything. @default none fails */
  readonly faultOf?: (call: string, about: string) => string | undefined;
}

/** The machine of a node: it has drives, and files that outlive the processes on it. */
export class Machine {
  /** As it is, for invariants: nothing fails and nothing takes time. */
  readonly os = new FakeOperatingSystem();
  readonly #slow = new Set<string>();
  readonly #full = new Set<string>();

  /** @param size of each drive, in bytes */
  constructor(drives: readonly string[], size: number) {
    for (const name of drives) this.os.plug(name, { size, identity: { serial: name } });
  }

  /** It is gone, with all that is on it, until it is found. */
  lose(drive: string): void {
    if (this.os.disk(drive).isPlugged) this.os.unplug(drive);
  }

  find(drive: string): void {
    if (!this.os.disk(drive).isPlugged) this.os.plug(drive);
  }

  /** Whether each call into it takes seconds. */
  slow(drive: string, isSlow: boolean): void {
    if (isSlow) this.#slow.add(drive);
    else this.#slow.delete(drive);
  }

  /** Whether nothing can be added to it. */
  fill(drive: string, isFull: boolean): void {
    if (isFull) this.#full.add(drive);
    else this.#full.delete(drive);
  }

  /** The machine as a process on it sees it. */
  seenBy({ clock, random, faultOf = () => undefined }: MachineUser): OperatingSystem {
    const travel = (ms: number): Promise<void> =>
      new Promise((resolve) => void clock.setTimeout(resolve, ms));
    const before = async (method: string | symbol, args: readonly unknown[]): Promise<void> => {
      const about = JSON.stringify(args);
      const code = faultOf(String(method), about);
      const slow = [...this.#slow].some((drive) => this.#isAbout(drive, about));
      await travel(MIN_CALL_MS + random.next() * (MAX_CALL_MS - MIN_CALL_MS) + (slow ? SLOW_MS : 0));
      if (code !== undefined) throw new OperatingSystemError(code, `${code}: ${String(method)} ${about}`);
      if (GROWING.has(method) && [...this.#full].some((drive) => this.#isAbout(drive, about)))
        throw new OperatingSystemError(
          'ENOSPC',
          `ENOSPC: no space left on device, ${String(method)} ${about}`,
        );
    };
    return new Proxy<OperatingSystem>(this.os, {
      get: (os, method) => {
        const found: unknown = Reflect.get(os, method, os);
        if (typeof found !== 'function') return found;
        if (method === 'deviceChanges') return found.bind(os);
        return async (...args: unknown[]) => {
          await before(method, args);
          return found.apply(os, args);
        };
      },
    });
  }

  /** Paths on a drive have the id of its file system in them, and devices its name. */
  #isAbout(drive: string, args: string): boolean {
    const { fsuuid } = this.os.disk(drive).contents ?? {};
    return args.includes(`"${drive}"`) || (fsuuid !== undefined && args.includes(fsuuid));
  }
}
