import { readFileSync } from 'node:fs';

/** The kernel's unit for it, on every Linux that Node runs on. */
const TICKS_A_SECOND = 100;

/** Seconds of processor time that a process has used. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in parentheses and may have spaces; what follows it has none.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = [fields[11], fields[12]].map(Number);
  return (user + system) / TICKS_A_SECOND;
}
