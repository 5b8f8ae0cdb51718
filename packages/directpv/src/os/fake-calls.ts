import { fault } from './fake-file-tree.ts';
import type { OperatingSystem } from './operating-system.ts';

/** What can be made to fail, and what is counted. */
export type FakeOperation = Exclude<keyof OperatingSystem, 'kind'>;

/** A call that fails, and how. */
export interface FakeFailure {
  readonly operation: FakeOperation;
  /** Thrown as the error's code. */
  readonly code: string;
  /** How often it fails. @default 1 */
  readonly times?: number;
  /** Only calls whose arguments, as text, hold this. @default every call */
  readonly matching?: string;
}

/** Notes the calls of a fake machine, and makes them fail or wait. */
export class FakeCalls {
  /** Every call that was made: its name and its arguments as text. */
  readonly made: string[] = [];
  #failures: { readonly failure: FakeFailure; left: number }[] = [];
  readonly #gates: { operation: FakeOperation; open: Promise<void>; entered: () => void }[] = [];

  fail(failure: FakeFailure): void {
    this.#failures.push({ failure, left: failure.times ?? 1 });
  }

  heal(): void {
    this.#failures = [];
  }

  /** Holds the next call of the operation until it is opened. */
  hold(operation: FakeOperation): { readonly entered: Promise<void>; readonly open: () => void } {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    this.#gates.push({ operation, open: gate.promise, entered: () => entered.resolve() });
    return { entered: entered.promise, open: () => gate.resolve() };
  }

  async enter(operation: FakeOperation, ...details: string[]): Promise<void> {
    const call = [operation, ...details].join(' ');
    this.made.push(call);
    const gate = this.#gates.findIndex((one) => one.operation === operation);
    if (gate !== -1) {
      const [held] = this.#gates.splice(gate, 1);
      held?.entered();
      await held?.open;
    }
    for (const entry of this.#failures) {
      const { failure } = entry;
      if (failure.operation !== operation || entry.left <= 0) continue;
      if (failure.matching !== undefined && !call.includes(failure.matching)) continue;
      entry.left -= 1;
      throw fault(failure.code, `injected into ${call}`);
    }
  }
}
