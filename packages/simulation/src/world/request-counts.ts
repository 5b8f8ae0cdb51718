import type { ApiRequest } from '@windlass/apimachinery';
import type { RequestFault, RequestFaultAnswer } from '../plan/fault.ts';

interface Counts {
  sentWrites: number;
  sentReads: number;
  written: number;
}

/** How much each process has sent and written since the workload began, and which of it goes wrong. */
export class RequestCounts {
  readonly #counts = new Map<string, Counts>();
  readonly #faults: RequestFault[] = [];
  readonly #waiting: { readonly process: string; readonly write: number; readonly act: () => void }[] = [];
  #isCounting = false;

  /** The workload begins. */
  begin(): void {
    this.#isCounting = true;
  }

  fail(fault: RequestFault): void {
    this.#faults.push(fault);
  }

  heal(): void {
    this.#faults.length = 0;
    this.#waiting.length = 0;
  }

  /** Acts as soon as the process has done its n-th write. */
  onWrite(process: string, write: number, act: () => void): void {
    this.#waiting.push({ process, write, act });
  }

  /** How many writes of the process the server has answered. */
  writesOf(process: string): number {
    return this.#of(process).written;
  }

  readsOf(process: string): number {
    return this.#of(process).sentReads;
  }

  /** A request leaves a process: what becomes of it. Leases are left alone: elections have faults of their own. */
  send(process: string, request: ApiRequest): RequestFaultAnswer | undefined {
    if (!this.#isCounting || isBackground(request)) return undefined;
    const counts = this.#of(process);
    const isWrite = request.method !== 'GET';
    const number = isWrite ? ++counts.sentWrites : ++counts.sentReads;
    const found = this.#faults.find((fault) => {
      const first = isWrite ? fault.write : fault.read;
      if (fault.process !== process || first === undefined) return false;
      return number >= first && number < first + (fault.times ?? 1);
    });
    return found?.answer;
  }

  /** The server has done what the process asked for. */
  written(process: string): void {
    if (!this.#isCounting) return;
    const counts = this.#of(process);
    counts.written++;
    for (const waiting of this.#waiting.filter(
      (one) => one.process === process && one.write === counts.written,
    )) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.act();
    }
  }

  #of(process: string): Counts {
    let counts = this.#counts.get(process);
    if (counts === undefined) {
      counts = { sentWrites: 0, sentReads: 0, written: 0 };
      this.#counts.set(process, counts);
    }
    return counts;
  }
}

/** Leases and events: no part of what a program means to do. */
export function isBackground({ path }: Pick<ApiRequest, 'path'>): boolean {
  return /\/(leases|events)(\/|$)/.test(path);
}
