import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Clock, isCancelled, sleep } from '@windlass/base';
import type { Printed } from '../shell/printed-lines.ts';
import type { ContainerRun } from './container-state.ts';
import { type LogOptions, logLine, selectLines } from './log-options.ts';

/** Who follows a log is told of its end this soon. */
const LOOK_MS = 250;

export interface LogSource {
  readonly run: ContainerRun;
  /** What is printed, in order, from the beginning: a new one each time. */
  readonly printed: () => Iterable<Printed>;
  /** When the run has ended; undefined while it goes on. */
  readonly finishedAt: () => number | undefined;
}

/** What a container has printed until now, and with `follow` what it prints until it ends. */
export async function* logText(
  { run, printed, finishedAt }: LogSource,
  options: LogOptions,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const now = clock.now();
  const first = selectLines(printed(), run.finishedAt ?? now, options);
  for (const line of first) yield logLine(line, options);
  if (!options.follow || run.finishedAt !== undefined) return;
  for (const line of printed()) {
    if (line.at <= now) continue;
    if (!(await reached(line.at, finishedAt, clock, signal))) return;
    if (options.since === undefined || line.at >= options.since) yield logLine(line, options);
  }
  // It prints nothing more, and runs on.
  await reached(Number.POSITIVE_INFINITY, finishedAt, clock, signal);
}

/** True when it is time; false when the container or the reader is gone before. */
async function reached(
  at: number,
  finishedAt: () => number | undefined,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for (;;) {
      const end = finishedAt();
      if (end !== undefined && end < at) return false;
      const left = at - clock.now();
      if (left <= 0) return true;
      await sleep(clock, Math.min(left, LOOK_MS), signal);
    }
  } catch (error) {
    if (isCancelled(error)) return false;
    throw error;
  }
}

/** Writes texts as they come, as fast as the reader takes them, and no more bytes than asked for. */
export async function writeTexts(
  response: ServerResponse,
  texts: AsyncIterable<string | Uint8Array>,
  limitBytes: number | undefined,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.flushHeaders();
  let left = limitBytes ?? Number.POSITIVE_INFINITY;
  for await (const text of texts) {
    if (response.destroyed) return;
    const whole = typeof text === 'string' ? Buffer.from(text) : text;
    const bytes = whole.subarray(0, Math.min(left, Number.MAX_SAFE_INTEGER));
    left -= bytes.byteLength;
    if (!response.write(bytes)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    if (left <= 0) break;
  }
  response.end();
}
