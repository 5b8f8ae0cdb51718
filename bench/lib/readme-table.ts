// The table of README.md, which is what was measured last and nothing else.
import type { Entry } from './entry.ts';
import { table } from './page.ts';
import { figure } from './report.ts';

interface Row {
  readonly what: string;
  readonly bench: string;
  /** What stands behind a figure. */
  readonly unit: string;
  /** A figure of the record is this many of the table's. @default 1 */
  readonly each?: number;
}

/** In the order in which a newcomer asks. What was never measured is left out. */
const ROWS: readonly Row[] = [
  { what: 'small GETs over mTLS', bench: 'client/get', unit: ' / s' },
  { what: 'import of the client', bench: 'client/import', unit: ' ms' },
  { what: 'reconciles that find nothing to do', bench: 'runtime/noop', unit: ' / s' },
  { what: 'reconciles that read from the cache', bench: 'runtime/read', unit: ' / s' },
  { what: 'reconciles that write, on a real server', bench: 'runtime/write', unit: ' / s' },
  { what: 'memory for 100,000 cached objects', bench: 'runtime/memory', unit: ' MB' },
  { what: 'keys through the work queue', bench: 'workqueue/distinct', unit: ' ns' },
  { what: '`windlass up` ready, with nodes and drives', bench: 'up/ready', unit: ' s', each: 0.001 },
  { what: 'API server ready', bench: 'apiserver/ready', unit: ' s', each: 0.001 },
  { what: 'creates, durable, over HTTPS', bench: 'apiserver/create', unit: ' / s' },
  { what: 'the same: processor time of one', bench: 'apiserver/create-cpu', unit: ' ms' },
  { what: 'list of 20,000 objects', bench: 'apiserver/list', unit: ' ms' },
  { what: 'events to 100 watchers', bench: 'apiserver/fan-out', unit: ' / s' },
  { what: 'memory with 20,000 objects', bench: 'apiserver/memory', unit: ' MB' },
];

const BEGIN = '<!-- from docs/benchmarks.json by `npm run bench -- --readme` -->\n\n';
const END = '\n\n<!-- end -->';

/** The text of README.md with the table anew. @throws when the places of the table are not there */
export function withTable(readme: string, entries: readonly Entry[]): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END, begin);
  if (begin < 0 || end < 0)
    throw new Error(
      `README.md has no table of benchmarks: put one between "${BEGIN.trim()}" and "${END.trim()}"`,
    );
  return readme.slice(0, begin + BEGIN.length) + readmeTable(entries) + readme.slice(end);
}

function readmeTable(entries: readonly Entry[]): string {
  const byName = new Map(entries.map((entry) => [entry.bench, entry]));
  const rows = ROWS.flatMap(({ what, bench, unit, each = 1 }) => {
    const entry = byName.get(bench);
    if (entry === undefined || entry.peer === null) return [];
    const { ours, peer, peerName, ratio } = entry;
    const cell = (value: number): string => `${figure(value * each)}${unit}`;
    return [[what, cell(ours), `${peerName}: ${cell(peer)}`, ratio === null ? '–' : `${figure(ratio)}x`]];
  });
  return table(['what', 'Windlass', 'the other', 'better by'], rows);
}
