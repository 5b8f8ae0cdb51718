// What was measured last, by benchmark: docs/benchmarks.json, from which the page and the plots are drawn.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import type { Result } from './bench.ts';
import { type Entry, suitesOf } from './entry.ts';
import { growthPlot } from './growth-plot.ts';
import { page, plotName } from './page.ts';
import { plot } from './plot.ts';
import { withTable } from './readme-table.ts';
import { barText } from './report.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const RECORD = new URL('benchmarks.json', DOCS);
const README = new URL('../README.md', DOCS);
const GIBIBYTE = 2 ** 30;

export interface Circumstances {
  readonly rounds: number;
  readonly cpu: boolean;
  readonly now: Date;
}

export function entryOf({ bench, ours, peer, ratio, ok }: Result, circumstances: Circumstances): Entry {
  return {
    bench: bench.name,
    ours,
    peer: peer ?? null,
    peerName: bench.peer?.name ?? null,
    ratio: ratio ?? null,
    unit: bench.unit,
    bar: bench.bar === undefined ? null : barText(bench.bar),
    ok: ok ?? null,
    time: circumstances.cpu ? 'cpu' : 'wall',
    rounds: circumstances.rounds,
    date: circumstances.now.toISOString().slice(0, 'yyyy-mm-dd'.length),
    machine: machine(),
    node: process.version,
    ...(bench.series !== undefined && { series: bench.series() }),
  };
}

/** No names of hosts: only what a figure depends on. */
function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / GIBIBYTE);
  return `${availableParallelism()} cores of ${cpu?.model.trim() ?? 'an unknown processor'}, ${memory} GiB, Linux ${release().split('-')[0] ?? ''}`;
}

/** The new entries in the place of older ones of the same name, sorted. */
export function merge(older: readonly Entry[], newer: readonly Entry[]): readonly Entry[] {
  const byName = new Map([...older, ...newer].map((entry) => [entry.bench, entry]));
  return [...byName.values()].toSorted((a, b) => (a.bench < b.bench ? -1 : 1));
}

/** What the record has. */
export async function recorded(): Promise<readonly Entry[]> {
  const text = await readFile(RECORD, 'utf8').catch(() => '[]');
  return JSON.parse(text) as Entry[]; // written below
}

/** Writes the table of README.md anew. */
export async function writeReadme(entries: readonly Entry[]): Promise<void> {
  await writeFile(README, withTable(await readFile(README, 'utf8'), entries));
}

/** Writes the record, the page and a plot for each suite, and README's table. */
export async function record(newer: readonly Entry[]): Promise<void> {
  const entries = merge(await recorded(), newer);
  await writeFile(RECORD, `${JSON.stringify(entries, undefined, 2)}\n`);
  await writeFile(new URL('benchmarks.md', DOCS), page(entries));
  await writeReadme(entries);
  await mkdir(new URL('benchmarks/', DOCS), { recursive: true });
  for (const [suite, members] of suitesOf(entries)) {
    if (members.some(({ ratio }) => ratio !== null))
      await writeFile(new URL(`benchmarks/${suite}.svg`, DOCS), plot(suite, members));
    for (const { bench, series } of members) {
      if (series === undefined || series.length === 0) continue;
      await writeFile(new URL(`benchmarks/${plotName(bench)}.svg`, DOCS), growthPlot(bench, series));
    }
  }
}
