// `npm run bench`: all benchmarks, side by side with their peers. `-- NAME` picks those whose name
// contains NAME; `-- --json` prints a JSON object a line; `-- --quick` only shows that they run;
// `-- --cpu` counts processor time instead of wall time, for a machine that is busy with other things.
// A run of all of them writes docs/benchmarks.md with its plots, and README's table; a run of some does so with
// `-- --write`. `-- --readme` writes the table from what is recorded, and measures nothing.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { endOnSignals } from '../tools/run/program.ts';
import { apiserver } from './apiserver.ts';
import { client } from './client.ts';
import { controllers } from './controllers.ts';
import { directpv } from './directpv.ts';
import { growth } from './growth.ts';
import { informer } from './informer.ts';
import type { Suite } from './lib/bench.ts';
import type { Entry } from './lib/entry.ts';
import { measure } from './lib/measure.ts';
import { entryOf, record, recorded, writeReadme } from './lib/record.ts';
import { jsonLine, tableHead, tableRow } from './lib/report.ts';
import { runtime } from './runtime.ts';
import { scale } from './scale.ts';
import { simulation } from './simulation.ts';
import { up } from './up.ts';
import { workqueue } from './workqueue.ts';

const suites: readonly Suite[] = [
  workqueue,
  client,
  apiserver,
  growth,
  informer,
  runtime,
  controllers,
  up,
  scale,
  directpv,
  simulation,
];
const DEFAULT_ROUNDS = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    quick: { type: 'boolean' },
    cpu: { type: 'boolean' },
    rounds: { type: 'string' },
    write: { type: 'boolean' },
    readme: { type: 'boolean' },
  },
});
if (values.readme === true) {
  await writeReadme(await recorded());
  process.exit(0);
}
const json = values.json === true;
const quick = values.quick === true;
const rounds = values.rounds === undefined ? (quick ? 1 : DEFAULT_ROUNDS) : Number(values.rounds);
const [wanted = ''] = positionals;
const log = (line: string): void => console.error(`bench: ${line}`);

if (!Number.isInteger(rounds) || rounds < 1) {
  log(`--rounds ${values.rounds} is no whole number of at least 1`);
  process.exit(2);
}
// `client/get` picks one benchmark of a suite, `client` all of it; nothing else needs preparing.
const chosen = suites.filter((suite) => suite.name.includes(wanted) || wanted.startsWith(`${suite.name}/`));
if (chosen.length === 0) {
  log(`nothing is called "${wanted}"; there is ${suites.map((suite) => suite.name).join(', ')}`);
  process.exit(2);
}

endOnSignals();
// Read by the programs that measure, which run in processes of their own.
if (values.cpu === true) process.env['BENCH_CPU'] = '1';
const [load = 0] = loadavg();
if (load > availableParallelism() / 2 && values.cpu !== true) {
  log(`the machine is busy (load ${load.toFixed(1)}); wall times will be unsure, --cpu is steadier`);
}

let headed = json;
let missed = 0;
const entries: Entry[] = [];
const circumstances = { rounds, cpu: values.cpu === true, now: new Date() };
for (const suite of chosen) {
  const isWanted = (name: string): boolean => name.includes(wanted);
  await using prepared = await suite.prepare({ log, quick, isWanted });
  for (const skip of prepared.skips) log(`skipped: ${skip}`);
  for (const bench of prepared.benches.filter(({ name }) => isWanted(name))) {
    const result = await measure(bench, { rounds, quick });
    if (result.ok === false) missed++;
    entries.push(entryOf(result, circumstances));
    if (!headed) console.log(tableHead());
    headed = true;
    console.log(json ? jsonLine(result) : tableRow(result));
  }
}
if (!quick && (wanted === '' || values.write === true)) await record(entries);
if (missed > 0 && !quick) log(`${missed} bars missed`);
// A busy machine must not turn the smoke run red; a real run says so with its exit code.
process.exitCode = missed > 0 && !quick ? 1 : 0;
