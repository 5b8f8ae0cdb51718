/** Of a run, when it was put in the queue, when it began and when it ended. */
export interface RunTimes {
  readonly id: number;
  readonly at: number;
  readonly waitedMs: number | undefined;
  readonly tookMs: number;
}

export interface RunPlace {
  readonly id: number;
  /** Shares of the line, 0 to 1. */
  readonly queued: number;
  readonly began: number;
  readonly ended: number;
}

/** A quiet time that is drawn shorter than it was. */
export interface Break {
  readonly place: number;
  readonly ms: number;
}

export interface RunLayout {
  readonly places: readonly RunPlace[];
  readonly breaks: readonly Break[];
  /** From the first to the last. */
  readonly spanMs: number;
}

/** A quiet time is drawn at most so many times as long as the quiet times usually are. */
const LONGEST_QUIET = 6;
const LEAST_QUIET_MS = 20;

/**
 * Puts runs on one line of time. Runs come in bursts with minutes between them: on a true scale a burst would be one
 * stroke. So long quiet times are cut short, and marked.
 */
export function layOutRuns(runs: readonly RunTimes[]): RunLayout {
  const sorted = [...runs].sort((a, b) => beginOf(a) - beginOf(b));
  const quiets = sorted.slice(1).map((run, at) => Math.max(0, beginOf(run) - endOf(sorted, at)));
  const longest = Math.max(LEAST_QUIET_MS, LONGEST_QUIET * medianOf(quiets));
  const starts: number[] = [];
  const cuts: { at: number; ms: number }[] = [];
  let cut = 0;
  sorted.forEach((run, at) => {
    const quiet = quiets[at - 1] ?? 0;
    if (quiet > longest) {
      cut += quiet - longest;
      cuts.push({ at: beginOf(run) - cut - longest / 2, ms: quiet });
    }
    starts.push(beginOf(run) - cut);
  });
  const first = starts[0] ?? 0;
  const ends = sorted.map((run, at) => (starts[at] ?? 0) + run.at + run.tookMs - beginOf(run));
  const length = Math.max(1, Math.max(...ends, first) - first);
  const place = (time: number): number => (time - first) / length;
  return {
    places: sorted.map((run, at) => {
      const start = starts[at] ?? 0;
      const began = start + run.at - beginOf(run);
      return { id: run.id, queued: place(start), began: place(began), ended: place(began + run.tookMs) };
    }),
    breaks: cuts.map(({ at, ms }) => ({ place: place(at), ms })),
    spanMs: sorted.length === 0 ? 0 : endOf(sorted, sorted.length - 1) - beginOf(sorted[0] ?? NOTHING),
  };
}

const NOTHING: RunTimes = { id: 0, at: 0, waitedMs: undefined, tookMs: 0 };

function beginOf({ at, waitedMs = 0 }: RunTimes): number {
  return at - waitedMs;
}

/** When the last of the first runs ended. */
function endOf(sorted: readonly RunTimes[], last: number): number {
  return Math.max(...sorted.slice(0, last + 1).map(({ at, tookMs }) => at + tookMs));
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
