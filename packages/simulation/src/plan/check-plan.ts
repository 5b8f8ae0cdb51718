import { InvalidArgumentError } from '@windlass/base';
import { FAULT_KINDS, type Fault, type FaultKind, type Plan, type When } from './fault.ts';

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

/** @throws InvalidArgumentError that names the fault, the field, its value and what it may be */
export function checkPlan(plan: Plan, cast: Cast): void {
  for (const [index, fault] of plan.entries()) checkFault(`plan[${index}]`, fault, cast);
}

function checkFault(at: string, fault: Fault, cast: Cast): void {
  // Plans are written by hand too, also in JavaScript: what a type would say is checked here.
  if (typeof fault !== 'object' || fault === null) throw new InvalidArgumentError(at, fault, 'a fault');
  oneOf(`${at}.kind`, fault.kind, cast.kinds ?? FAULT_KINDS);
  if (fault.kind !== 'server' && fault.kind !== 'node' && fault.kind !== 'drive')
    oneOf(`${at}.process`, fault.process, cast.processes);
  if (fault.kind !== 'request') checkWhen(`${at}.when`, fault.when, cast);
  switch (fault.kind) {
    case 'request':
      oneOf(`${at}.answer`, fault.answer, ANSWERS);
      if ((fault.write === undefined) === (fault.read === undefined))
        throw new InvalidArgumentError(at, fault, 'a fault with exactly one of write and read');
      count(`${at}.${fault.write === undefined ? 'read' : 'write'}`, fault.write ?? fault.read);
      if (fault.times !== undefined) count(`${at}.times`, fault.times);
      return;
    case 'latency':
      time(`${at}.forMs`, fault.forMs);
      return time(`${at}.addMs`, fault.addMs);
    case 'watch':
      oneOf(`${at}.effect`, fault.effect, EFFECTS);
      if (fault.effect === 'hold' || fault.effect === 'gap') time(`${at}.forMs`, fault.forMs);
      return;
    case 'kill':
    case 'server':
      return time(`${at}.downMs`, fault.downMs);
    case 'freeze':
    case 'partition':
      return time(`${at}.forMs`, fault.forMs);
    case 'clock':
      if (!Number.isFinite(fault.byMs))
        throw new InvalidArgumentError(`${at}.byMs`, fault.byMs, 'a number of milliseconds');
      return;
    case 'node':
      oneOf(`${at}.node`, fault.node, cast.nodes);
      return time(`${at}.forMs`, fault.forMs);
    case 'drive':
      oneOf(`${at}.node`, fault.node, cast.nodes);
      oneOf(`${at}.drive`, fault.drive, cast.drives ?? []);
      oneOf(`${at}.effect`, fault.effect, DRIVE_EFFECTS);
      return time(`${at}.forMs`, fault.forMs);
    default:
      return fault satisfies never;
  }
}

function checkWhen(at: string, when: When, { processes }: Cast): void {
  if (typeof when !== 'object' || when === null) return time(at, when);
  count(`${at}.write`, when.write);
  oneOf(`${at}.by`, when.by, [...processes, 'user']);
}

function oneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value === 'string' && allowed.includes(value)) return;
  const names = allowed.map((text) => `"${text}"`).join(', ');
  throw new InvalidArgumentError(
    name,
    value,
    allowed.length === 0 ? 'absent: there is none' : `one of ${names}`,
  );
}

function time(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return;
  throw new InvalidArgumentError(name, value, 'a number of milliseconds of at least 0');
}

function count(name: string, value: unknown): void {
  if (Number.isInteger(value) && Number(value) >= 1) return;
  throw new InvalidArgumentError(name, value, 'a whole number of at least 1');
}
