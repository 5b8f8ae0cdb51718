// What the server promises to everybody while it is attacked.
import { complained } from './complaints.ts';
import type { Tally } from './tally.ts';
import { type HonestSeen, heldMs, type ProberSeen } from './witnesses/messages.ts';

export const MAX_READYZ_MS = 250;
/** In the short form every attack meets a server that was started seconds ago, whose code is not compiled yet. */
export const MAX_READYZ_SHORT_MS = 400;
/** What all attacks together may take on top of what the server holds before the first of them. */
export const MAX_MORE_MEGABYTES = 700;

/** An attack that takes less than this on top of what is there already is not the one to blame. */
const MORE_MEGABYTES = 64;

/** All that was seen while one attack, or a mix of some, went on. */
export interface Window {
  readonly attack: string;
  readonly seconds: number;
  readonly tally: Tally;
  /** Undefined while the attack kills the server. */
  readonly prober: ProberSeen | undefined;
  readonly honest: HonestSeen | undefined;
  /** Before the first attack: what the server holds. */
  readonly peaceMegabytes: number;
  /** When it began: what an attack before it left behind. */
  readonly restingMegabytes: number;
  readonly peakMegabytes: number;
  /** Lines of the server's log that must not be there. */
  readonly complaints: readonly string[];
  /** What the attack itself found. */
  readonly findings: readonly string[];
}

/** One sentence for each broken promise. */
export function brokenPromises(window: Window, maxReadyzMs: number = MAX_READYZ_MS): string[] {
  const { prober, honest, tally, complaints, peakMegabytes } = window;
  const broken = [...window.findings];
  if (prober !== undefined) {
    const { ms, ownDelayMs, serverWaitMs, serverRunMs } = prober.slowestHeld;
    const held = heldMs(prober.slowestHeld);
    if (prober.probes === 0) broken.push('/readyz was not asked: the prober does not work');
    if (held > maxReadyzMs)
      broken.push(
        `/readyz took ${ms.toFixed(0)} ms, of which the machine took ${Math.max(ownDelayMs, serverWaitMs).toFixed(0)} and the server's main thread ran ${serverRunMs.toFixed(0)}; it may take ${maxReadyzMs}`,
      );
    broken.push(...counted(prober.failures, prober.failureCount));
  }
  if (honest !== undefined) {
    if (honest.requests === 0) broken.push('no honest request was sent: the witness does not work');
    broken.push(...counted(honest.failures, honest.failureCount));
  }
  const mostMegabytes = window.peaceMegabytes + MAX_MORE_MEGABYTES;
  if (peakMegabytes > mostMegabytes && peakMegabytes > window.restingMegabytes + MORE_MEGABYTES)
    broken.push(`the server took ${peakMegabytes.toFixed(0)} MB; it may take ${mostMegabytes.toFixed(0)}`);
  broken.push(...tally.internalErrors.map((what) => `an internal error was answered: ${what}`));
  broken.push(...complained(complaints));
  return broken;
}

const SHOWN = 3;

function counted(sentences: readonly string[], count: number): string[] {
  const shown = sentences.slice(0, SHOWN);
  return count > shown.length && shown.length > 0
    ? [...shown, `and ${count - shown.length} more like these`]
    : shown;
}
