// Two outcomes of one scenario, line by line.
import type { Outcome } from './outcome.ts';

/** A line that one side has and the other has not. */
export interface Difference {
  readonly scenario: string;
  /** `-` only the peer has it, `+` only we do. */
  readonly text: string;
}

export function compareOutcomes(scenario: string, ours: Outcome, peer: Outcome): Difference[] {
  const [mine, theirs] = [new Set(ours), new Set(peer)];
  return [
    ...peer.filter((line) => !mine.has(line)).map((line) => `- ${line}`),
    ...ours.filter((line) => !theirs.has(line)).map((line) => `+ ${line}`),
  ]
    .toSorted((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1))
    .map((text) => ({ scenario, text }));
}
