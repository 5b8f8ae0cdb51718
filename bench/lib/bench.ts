// What a benchmark is: the same work done by us and by a peer, in turns, in one run.

/** One side's figures of one round: each way of doing the work, by name. The best of them counts. */
export type Figures = Readonly<Record<string, number>>;

export interface Side {
  readonly name: string;
  measure(round: MeasureOptions): Promise<Figures>;
}

export interface MeasureOptions {
  /** Less work, for a look at whether it runs at all; the figures then mean little. */
  readonly quick: boolean;
}

export interface Bench {
  /** `suite/what` */
  readonly name: string;
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  readonly ours: Side;
  /** Absent where there is nothing to compare with. */
  readonly peer?: Side;
  readonly bar?: Bar;
  /** What the last round found, where it is more than a figure: times over sizes, to be drawn as lines. */
  readonly series?: () => readonly Series[];
}

export interface Series {
  readonly name: string;
  readonly points: readonly { readonly size: number; readonly milliseconds: number }[];
}

/** What must hold. `ratio` bars need the peer; `ours` bars hold without it, and with it may ask for a ratio as well. */
export type Bar =
  | { readonly kind: 'ratio'; readonly atLeast: number }
  | { readonly kind: 'ours'; readonly below: number; readonly atLeast?: number };

/** Benchmarks that share a preparation. */
export interface Suite {
  readonly name: string;
  /**
   * Builds, starts and fills what the wanted benchmarks need. What cannot be had is named in `skips`.
   */
  prepare(options: PrepareOptions): Promise<Prepared>;
}

export interface PrepareOptions extends MeasureOptions {
  /** Told what takes long. */
  readonly log: (line: string) => void;
  /** Whether the benchmark of this name will be measured. */
  readonly isWanted: (name: string) => boolean;
}

export interface Prepared extends AsyncDisposable {
  readonly benches: readonly Bench[];
  /** Each a sentence: what is not measured here, and why. */
  readonly skips: readonly string[];
}

export interface Result {
  readonly bench: Bench;
  /** The median over the rounds of the best way in each. */
  readonly ours: number;
  readonly peer: number | undefined;
  /** Above 1 means that we are better. */
  readonly ratio: number | undefined;
  readonly ok: boolean | undefined;
}
