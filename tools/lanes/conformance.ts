// `npm run test:conformance`: Kubernetes' own end-to-end suite against `windlass up` with simulated nodes. Compares what
// failed with tests/conformance/expected-failures.json, and fails for what is new there.
//   -- --focus TEXT   only specs whose name matches (a regular expression of Go; may be given again)
//   -- --skip TEXT    not those whose name matches (may be given again)
//   -- --quick        a few minutes of it, as in .ci/run
//   -- --all          also what is expected to fail; without --focus and --skip it writes docs/conformance.md
//   -- --procs N      so many specs at a time
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareRuns } from '../../tests/conformance/compare.ts';
import { readExpected } from '../../tests/conformance/expected.ts';
import { badgeLine, conformancePage, sigTable } from '../../tests/conformance/page.ts';
import { ensurePrograms } from '../../tests/conformance/programs.ts';
import { QUICK, QUICK_SKIP } from '../../tests/conformance/quick.ts';
import { runSuite, wholeName } from '../../tests/conformance/run-suite.ts';
import type { Spec } from '../../tests/conformance/spec.ts';
import { MissingNeedError, run, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { kubernetesVersion, repositoryRoot } from '../../tests/real/harness/paths.ts';
import { ClusterProcess } from '../../tests/soak/processes.ts';
import { runProgram } from '../run/program.ts';
import { wholeOption } from '../run/seeds.ts';

/** All of [Conformance], and what else upstream has about the API itself. */
const WHOLE: readonly string[] = [String.raw`\[Conformance\]`, String.raw`\[sig-api-machinery\]`];
const DEFAULT_PROCESSES = 6;
const log = (line: string): void => console.error(`test:conformance: ${line}`);

async function main(signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    options: {
      focus: { type: 'string', multiple: true },
      skip: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      procs: { type: 'string' },
      report: { type: 'string' },
    },
  });
  const processes = wholeOption('procs', values.procs, { byDefault: DEFAULT_PROCESSES, least: 1 });
  const focus = values.focus ?? (values.quick ? QUICK : WHOLE);
  const isWhole = values.focus === undefined && values.skip === undefined && !values.quick && values.all;
  const expected = readExpected();
  try {
    const programs = await ensurePrograms({ isQuick: values.quick, log, signal });
    const skip = [
      ...(values.skip ?? []),
      ...(values.quick ? QUICK_SKIP : []),
      ...(values.all ? [] : [...expected.keys()].map(wholeName)),
    ];
    const specs = (
      await onCluster((kubeconfig, folder) =>
        runSuite({ programs, kubeconfig, folder, focus, skip, processes, signal }),
      )
    ).filter(({ outcome }) => outcome !== 'skipped');
    if (values.report !== undefined) await writeFile(values.report, JSON.stringify(specs, undefined, 1));
    return await tell(specs, expected, isWhole);
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
}

async function onCluster<T>(use: (kubeconfig: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-conformance-'));
  const cluster = new ClusterProcess(folder, ['--in-memory', '--drive-backend', 'directory']);
  try {
    await cluster.start();
    return await use(cluster.kubeconfig, folder);
  } finally {
    await cluster.stop('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

async function tell(
  specs: readonly Spec[],
  expected: ReadonlyMap<string, string>,
  isWhole: boolean,
): Promise<number> {
  if (specs.length === 0) {
    log('no spec was run: --focus matches none');
    return 2;
  }
  const { worse, better, unknown } = compareRuns(specs, expected, { isWhole });
  console.log(`\n${sigTable(specs)}\n`);
  for (const { name, message } of worse) console.log(`FAILED: ${name}\n        ${message}`);
  for (const { name } of better)
    console.log(`passes now, take it off the list of expected failures: ${name}`);
  for (const name of unknown)
    console.log(`is on the list of expected failures and not in the suite: ${name}`);
  const facts = { version: kubernetesVersion(), specs, expected };
  if (isWhole) {
    const page = join(repositoryRoot, 'docs/conformance.md');
    await writeFile(page, conformancePage(facts));
    // Its tables are as wide as the longest cell, which the formatter knows best.
    await run(join(repositoryRoot, 'node_modules/.bin/biome'), ['format', '--write', page]);
    log(`wrote docs/conformance.md: ${badgeLine(facts)}`);
  }
  const passed = specs.filter(({ outcome }) => outcome === 'passed').length;
  log(`${worse.length === 0 ? 'passed' : 'FAILED'}: ${passed} of ${specs.length} specs passed`);
  return worse.length === 0 ? 0 : 1;
}

await runProgram(main);
