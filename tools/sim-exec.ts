// `node tools/sim-exec.ts FILE --exec 'COMMAND' [--seeds N | --seed N] [--plan FILE] [--alone] [--trace]
// [--output]`: what `windlass sim FILE --exec 'COMMAND'` does. `--alone` takes the plan as it is, and compares nothing
// with a run without faults. The time is real, so two runs of one seed need not be equal.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { InvalidArgumentError } from '@windlass/base';
import {
  execExplorer,
  failureText,
  type Plan,
  runExec,
  type Simulation,
  testToPaste,
  timelineText,
} from '@windlass/simulation';
import { runProgram } from './run/program.ts';
import { wholeOption } from './run/seeds.ts';

async function main(signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      exec: { type: 'string' },
      seeds: { type: 'string' },
      seed: { type: 'string' },
      plan: { type: 'string' },
      alone: { type: 'boolean', default: false },
      trace: { type: 'boolean', default: false },
      output: { type: 'boolean', default: false },
    },
  });
  const [file] = positionals;
  if (file === undefined)
    throw new InvalidArgumentError('FILE', file, 'a file whose default export is a simulation');
  if (values.exec === undefined) throw new InvalidArgumentError('--exec', values.exec, 'the command to run');
  const { name, options } = await simulationOf(file);
  const plan = values.plan === undefined ? undefined : await planOf(values.plan);
  const program = plan === undefined ? options : { ...options, plan };
  const exec = {
    command: values.exec,
    ...(values.output && { onLine: (line: string) => console.error(`| ${line}`) }),
  };
  const explorer = execExplorer(program, exec);
  const first = wholeOption('seed', values.seed, { byDefault: 1, least: 0 });
  const count = wholeOption('seeds', values.seeds, { byDefault: 1, least: 1 });
  console.log(
    `${name}: ${values.exec}\nThe order of faults follows from the seed; the time is real, so runs of one seed can differ.`,
  );
  let failed = 0;
  for (let seed = first; seed < first + count && !signal.aborted; seed++) {
    const outcome = values.alone
      ? await runExec(program, { ...exec, seed, plan: program.plan ?? [], traced: true })
      : await explorer.run(seed, { traced: true });
    if (values.trace) console.log(timelineText(outcome));
    if (outcome.failure === undefined)
      console.log(
        `seed ${seed}: fine, ${(outcome.virtualMs / 1000).toFixed(1)} s, ${outcome.plan.length} faults, ${outcome.writes} writes`,
      );
    else {
      failed++;
      console.log(failureText(outcome));
      if (!values.trace) console.log(timelineText(outcome));
      console.log(testToPaste(name, outcome));
    }
  }
  return failed === 0 ? 0 : 1;
}

async function simulationOf(file: string): Promise<Simulation> {
  // What is missing is told here, and nothing else is taken on trust.
  const { default: found } = (await import(pathToFileURL(resolve(file)).href)) as {
    readonly default?: Simulation;
  };
  if (found?.options?.workload === undefined)
    throw new InvalidArgumentError('FILE', file, 'a file whose default export is made by defineSimulation');
  return found;
}

async function planOf(file: string): Promise<Plan> {
  // checkPlan looks at every field before anything happens.
  return JSON.parse(await readFile(file, 'utf8')) as Plan;
}

await runProgram(main);
