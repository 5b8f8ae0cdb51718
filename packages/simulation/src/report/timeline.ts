import { describeFault, ms } from '../plan/describe-fault.ts';
import type { Outcome } from '../run/outcome.ts';
import { nameOfKey } from '../world/kept.ts';
import type { TraceEntry } from '../world/trace.ts';

/** Before what went wrong so many lines are shown; the rest is in the HTML page. */
const MAX_LINES = 120;

/** The run as lines that a person can follow: time, process, and what it did or what happened to it. */
export function timelineText(outcome: Outcome): string {
  const lines = toldOf(outcome).map(lineOf);
  const shown = lines.slice(-MAX_LINES);
  const cut = lines.length - shown.length;
  return [...(cut > 0 ? [`… ${cut} lines before`] : []), ...shown].map((line) => `${line}\n`).join('');
}

/** What is wrong, with what goes wrong before it. */
export function failureText(outcome: Outcome): string {
  const { seed, plan, failure } = outcome;
  if (failure === undefined) return `seed ${seed} is fine, after ${durationOf(outcome)}\n`;
  const faults =
    plan.length === 0
      ? ['nothing goes wrong outside of the program']
      : plan.map((fault, index) => `${index + 1}. ${describeFault(fault)}`);
  const what = failure.name === undefined ? failure.oracle : `${failure.oracle} "${failure.name}"`;
  return `seed ${seed}: ${what}: ${failure.message}\nwhen:\n${faults.map((line) => `  ${line}\n`).join('')}`;
}

/** `12.5 s of virtual time`. */
export function durationOf({ virtualMs, isVirtual }: Pick<Outcome, 'virtualMs' | 'isVirtual'>): string {
  return `${ms(virtualMs)}${isVirtual ? ' of virtual time' : ''}`;
}

/** What a person is told. The server's own objects, which every cluster has before anybody works with it, are not. */
export function toldOf({ trace }: Pick<Outcome, 'trace'>): TraceEntry[] {
  const begins = trace.findIndex(({ type }) => type === 'phase');
  return trace.filter((entry, index) => isTold(entry) && (entry.process !== 'server' || index > begins));
}

/** Requests for leases and reads are not told; what the server answers is told with the request that failed. */
function isTold({ type, request, entry, text, process }: TraceEntry): boolean {
  if (/\/(leases|events)(\/|$)/.test(request?.path ?? entry?.key ?? '')) return false;
  if (type === 'arrives') return false;
  if (type === 'answer') return request?.method !== 'GET' && Number(text) >= 400;
  // The cluster's own controllers run all the time; what they write is told.
  if (type === 'run' || type === 'result') return !['controllers', 'scheduler', 'kubelet'].includes(process);
  return true;
}

/** One line of a timeline. */
function lineOf(entry: TraceEntry): string {
  const at = `${(entry.atMs / 1000).toFixed(3).padStart(9)} s`;
  return `${at}  ${entry.process.padEnd(12)}  ${whatOf(entry)}`;
}

/** What happened, without when and who. */
export function whatOf({ type, text, request, entry }: TraceEntry): string {
  switch (type) {
    case 'write':
      return `${text}s ${nameOfKey(entry?.key ?? '')} (version ${entry?.revision ?? ''})`;
    case 'fault':
      return request === undefined ? `FAULT ${text}` : `FAULT ${text}: ${request.method} ${request.path}`;
    case 'answer':
      return `is answered ${text}: ${request?.method ?? ''} ${request?.path ?? ''}`;
    case 'run':
      return `runs ${text}`;
    case 'result':
      return `ends ${text}`;
    case 'phase':
      return `--- ${text}`;
    default:
      return text;
  }
}
