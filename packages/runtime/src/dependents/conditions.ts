import type { Cached, KubeObject } from '@windlass/apimachinery';
import type { Declared } from './declaration.ts';

/** How it stands with a child, in one word; they become reasons of conditions. */
export type ChildReason =
  | 'Ready'
  /** It is there and not ready, or it is on its way out and is made again then. */
  | 'ChildNotReady'
  /** It is not applied before others are ready. */
  | 'WaitingForChild'
  /** The server refused it. It is tried again. */
  | 'ApplyFailed'
  | 'ChildFailed'
  /** Somebody else decides one of its fields. */
  | 'FieldConflict'
  /** There is an object of its name that is not ours. */
  | 'NotOwned';

export interface ChildState {
  readonly declared: Declared;
  readonly reason: ChildReason;
  readonly message: string;
  /** As it was last seen; undefined when it is not there, or not ours. */
  readonly object?: Cached<KubeObject>;
}

export interface Verdict {
  readonly type: 'Ready' | 'Progressing';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Those need somebody: waiting does not help. They are told of first. */
const STUCK: ReadonlySet<ChildReason> = new Set(['NotOwned', 'FieldConflict', 'ChildFailed']);

/** What the states of the children, and those on their way out, say of the parent. */
export function verdictsOf(states: readonly ChildState[], leaving: readonly string[]): readonly Verdict[] {
  const stuck = states.filter(({ reason }) => STUCK.has(reason));
  const moving = states.filter(({ reason }) => reason !== 'Ready' && !STUCK.has(reason));
  const [worst] = [...stuck, ...moving];
  const count = states.length;
  const allReady =
    count === 0
      ? 'there are no children'
      : count === 1
        ? 'the child is ready'
        : `all ${count} children are ready`;
  const isReady = worst === undefined;
  const ready: Verdict = isReady
    ? { type: 'Ready', status: 'True', reason: 'ChildrenReady', message: allReady }
    : { type: 'Ready', status: 'False', reason: worst.reason, message: messageOf([...stuck, ...moving]) };
  return [ready, progressOf(ready, moving, leaving)];
}

function progressOf(ready: Verdict, moving: readonly ChildState[], leaving: readonly string[]): Verdict {
  const [first] = moving;
  if (first !== undefined)
    return { type: 'Progressing', status: 'True', reason: first.reason, message: messageOf(moving) };
  if (leaving.length > 0)
    return {
      type: 'Progressing',
      status: 'True',
      reason: 'Pruning',
      message: `${leaving.join(', ')}: being deleted`,
    };
  return { ...ready, type: 'Progressing', status: 'False' };
}

function messageOf(states: readonly ChildState[]): string {
  const [first, ...others] = states;
  if (first === undefined) return '';
  const more =
    others.length === 0
      ? ''
      : `; ${others.length} more: ${others.map(({ declared }) => declared.title).join(', ')}`;
  return `${first.declared.title}: ${first.message}${more}`;
}

/** The declaration itself is wrong: no child is touched. */
export function invalidVerdicts(message: string): readonly Verdict[] {
  const wrong = { status: 'False', reason: 'InvalidDeclaration', message } as const;
  return [
    { type: 'Ready', ...wrong },
    { type: 'Progressing', ...wrong },
  ];
}
