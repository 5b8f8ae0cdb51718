import { type CallFault, type CallFaultCode, MACHINE_CALLS, type MachineCall } from '../plan/fault.ts';

const CALLS: ReadonlySet<string> = new Set(MACHINE_CALLS);

/** How often each process has called into machines since the workload began, and which of these calls fail. */
export class CallCounts {
  readonly #made = new Map<string, Partial<Record<MachineCall, number>>>();
  readonly #faults: CallFault[] = [];
  #isCounting = false;

  /** The workload begins. */
  begin(): void {
    this.#isCounting = true;
  }

  fail(fault: CallFault): void {
    this.#faults.push(fault);
  }

  heal(): void {
    this.#faults.length = 0;
    this.#isCounting = false;
  }

  /** By process, until the faults are over. */
  made(): Readonly<Record<string, Readonly<Partial<Record<MachineCall, number>>>>> {
    return Object.fromEntries(this.#made);
  }

  /** A process makes a call: what it fails with, if it does. */
  make(process: string, call: string): CallFaultCode | undefined {
    if (!this.#isCounting || !isMachineCall(call)) return undefined;
    const made = this.#made.get(process) ?? {};
    this.#made.set(process, made);
    const number = (made[call] ?? 0) + 1;
    made[call] = number;
    const found = this.#faults.find(
      (fault) =>
        fault.process === process &&
        fault.call === call &&
        number >= fault.number &&
        number < fault.number + (fault.times ?? 1),
    );
    return found?.code;
  }
}

function isMachineCall(call: string): call is MachineCall {
  return CALLS.has(call);
}
