import { InvalidArgumentError } from '@windlass/base';
import { count, milliseconds, oneOf } from './check-values.ts';
import { FAULT_KINDS, type Fault, type FaultKind, MACHINE_CALLS, type Plan, type When } from './fault.ts';

/** Who can be named in a plan. */
export interface Cast {
  readonly processes: readonly string[];
  readonly nodes: readonly string[];
  /** What can happen. @default every kind */
  readonly kinds?: readonly FaultKind[] | undefined;
  /** Of each node. @default none */
  readonly drives?: readonly string[];
}

const ANSWERS = [
  'lost',
  'answer lost',
  'conflict',
  'too many requests',
  'internal error',
  'unavailable',
  'timeout',
];
const EFFECTS = ['drop', 'hold', 'compact', 'gap'];
const DRIVE_EFFECTS = ['lost', 'full', 'slow'];
const CODES = ['EIO', 'EBUSY', 'EACCES'];

/** @throws InvalidArgumentError that names the fault, the field, its value and what it may be */
export function checkPlan(plan: Plan, cast: Cast): void {
  if (!Array.isArray(plan)) throw new InvalidArgumentError('plan', plan, 'an array of faults');
  for (const [index, fault] of plan.entries()) checkFault(`plan[${index}]`, fault, cast);
}

function checkFault(at: string, fault: Fault, cast: Cast): void {
  // Plans are written by hand too, also in JavaScript: what a type would say is checked here.
  if (typeof fault !== 'object' || fault === null) throw new InvalidArgumentError(at, fault, 'a fault');
  oneOf(`${at}.kind`, fault.kind, cast.kinds ?? FAULT_KINDS);
  if (fault.kind !== 'server' && fault.kind !== 'node' && fault.kind !== 'drive')
    oneOf(`${at}.process`, fault.process, cast.processes);
  if (fault.kind !== 'request' && fault.kind !== 'call') checkWhen(`${at}.when`, fault.when, cast);
  switch (fault.kind) {
    case 'request':
      oneOf(`${at}.answer`, fault.answer, ANSWERS);
      if ((fault.write === undefined) === (fault.read === undefined))
        throw new InvalidArgumentError(at, fault, 'a fault with exactly one of write and read');
      count(`${at}.${fault.write === undefined ? 'read' : 'write'}`, fault.write ?? fault.read);
      if (fault.times !== undefined) count(`${at}.times`, fault.times);
      return;
    case 'latency':
      milliseconds(`${at}.forMs`, fault.forMs);
      return milliseconds(`${at}.addMs`, fault.addMs);
    case 'watch':
      oneOf(`${at}.effect`, fault.effect, EFFECTS);
      if (fault.effect === 'hold' || fault.effect === 'gap') milliseconds(`${at}.forMs`, fault.forMs);
      return;
    case 'kill':
    case 'server':
      return milliseconds(`${at}.downMs`, fault.downMs);
    case 'freeze':
    case 'partition':
      return milliseconds(`${at}.forMs`, fault.forMs);
    case 'clock':
      if (!Number.isFinite(fault.byMs))
        throw new InvalidArgumentError(`${at}.byMs`, fault.byMs, 'a number of milliseconds');
      return;
    case 'node':
      oneOf(`${at}.node`, fault.node, cast.nodes);
      return milliseconds(`${at}.forMs`, fault.forMs);
    case 'drive':
      oneOf(`${at}.node`, fault.node, cast.nodes);
      oneOf(`${at}.drive`, fault.drive, cast.drives ?? []);
      oneOf(`${at}.effect`, fault.effect, DRIVE_EFFECTS);
      return milliseconds(`${at}.forMs`, fault.forMs);
    case 'call':
      // Without drives nobody calls into a machine.
      oneOf(`${at}.call`, fault.call, (cast.drives ?? []).length === 0 ? [] : MACHINE_CALLS);
      oneOf(`${at}.code`, fault.code, CODES);
      count(`${at}.number`, fault.number);
      if (fault.times !== undefined) count(`${at}.times`, fault.times);
      return;
    default:
      return fault satisfies never;
  }
}

function checkWhen(at: string, when: When, { processes }: Cast): void {
  if (typeof when !== 'object' || when === null) return milliseconds(at, when);
  count(`${at}.write`, when.write);
  oneOf(`${at}.by`, when.by, [...processes, 'user']);
}
