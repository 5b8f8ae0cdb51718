// `npm run test:kubectl`: kubectl's own test scripts, those of the release of the kubectl on PATH, against
// `windlass apiserver` with `windlass controller-manager`. Compares what failed with
// tests/kubectl-cmd/expected-failures.json, and fails for what is new there.
//   -- NAME...      only scripts whose names contain one of these
//   -- --list       their names
//   -- --jobs N     so many at a time, each with a cluster of its own
//   -- --limit N    seconds that a script may take
//   -- --logs DIR   keeps what each script and its cluster printed
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareRuns } from '../../tests/conformance/compare.ts';
import { readExpected } from '../../tests/conformance/expected.ts';
import type { Spec } from '../../tests/conformance/spec.ts';
import { runScript } from '../../tests/kubectl-cmd/run-script.ts';
import { chooseScripts, scriptNames } from '../../tests/kubectl-cmd/script-names.ts';
import { copySources } from '../../tests/kubectl-cmd/sources.ts';
import { MissingNeedError, SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { runProgram } from '../run/program.ts';
import { wholeOption } from '../run/seeds.ts';

const EXPECTED = join(repositoryRoot, 'tests/kubectl-cmd/expected-failures.json');
const DEFAULT_JOBS = 2;
/** Several times what the longest takes on two cores that others use too. */
const DEFAULT_LIMIT_SECONDS = 600;
const log = (line: string): void => console.error(`test:kubectl: ${line}`);

async function main(signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      jobs: { type: 'string' },
      limit: { type: 'string' },
      logs: { type: 'string' },
    },
  });
  const jobs = wholeOption('jobs', values.jobs, { byDefault: DEFAULT_JOBS, least: 1 });
  const limitSeconds = wholeOption('limit', values.limit, { byDefault: DEFAULT_LIMIT_SECONDS, least: 1 });
  const logs = values.logs === undefined ? undefined : resolve(values.logs);
  if (logs !== undefined) await mkdir(logs, { recursive: true });
  const expected = readExpected(await readFile(EXPECTED, 'utf8'));
  try {
    const { folder, version, kubectlVersion } = await copySources(log);
    try {
      const names = scriptNames(await readFile(join(folder, 'test/cmd/legacy-script.sh'), 'utf8'));
      const chosen = chooseScripts(names, positionals);
      if (chosen.length === 0) {
        log(`no script has ${positionals.join(' or ')} in its name; --list says which there are`);
        return 2;
      }
      if (values.list) {
        console.log(chosen.join('\n'));
        return 0;
      }
      log(`${chosen.length} scripts of ${version} with kubectl ${kubectlVersion}`);
      const specs = await runAll(chosen, jobs, signal, (name) =>
        runScript(name, { sources: folder, limitSeconds, logs }),
      );
      return signal.aborted ? 1 : tell(specs, expected, positionals.length === 0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    log(`not run: ${error.message}`);
    return SKIP_EXIT_CODE;
  }
}

/** In the order of the names, however long each takes. */
async function runAll(
  names: readonly string[],
  jobs: number,
  signal: AbortSignal,
  runOne: (name: string) => Promise<Spec>,
): Promise<Spec[]> {
  const specs = new Map<string, Spec>();
  const waiting = [...names];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined && !signal.aborted; name = waiting.shift()) {
      const spec = await runOne(name);
      specs.set(name, spec);
      log(`${specs.size} of ${names.length}: ${name} ${spec.outcome}, ${spec.seconds.toFixed(0)} s`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return names.flatMap((name) => specs.get(name) ?? []);
}

function tell(specs: readonly Spec[], expected: ReadonlyMap<string, string>, isWhole: boolean): number {
  const { worse, better, unknown } = compareRuns(specs, expected, { isWhole });
  for (const { name, message } of worse)
    console.log(`FAILED: ${name}\n${message.replaceAll(/^/gm, '        ')}`);
  for (const { name } of better)
    console.log(`passes now, take it off the list of expected failures: ${name}`);
  for (const name of unknown)
    console.log(`is on the list of expected failures and not among the scripts: ${name}`);
  const passed = specs.filter(({ outcome }) => outcome === 'passed').length;
  log(`${worse.length === 0 ? 'passed' : 'FAILED'}: ${passed} of ${specs.length} scripts passed`);
  return worse.length === 0 ? 0 : 1;
}

await runProgram(main);
