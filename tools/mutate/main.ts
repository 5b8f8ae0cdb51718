// `npm run mutate -- [PATH...] [--count 50] [--seed 1] [--jobs 2] [--patience 1] [--json FILE] [--again FILE]`: makes
// small mistakes in the sources, one at a time in a copy of the tree, and looks whether a test that imports the source
// notices. PATH is a folder, a file or FILE:LINE. `--again` judges what survived in a run that wrote that file. It is a
// measure and not a gate: it ends with 0 unless no mutant could be run.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../run/program.ts';
import { mutate } from './mutate.ts';
import { readOptions } from './options.ts';
import { lineOf, percentOf, scoresOf, survivorsOf, tableOf } from './report.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function main(signal: AbortSignal): Promise<number> {
  const options = readOptions(process.argv.slice(2), ROOT);
  const judged = await mutate({
    ...options,
    root: ROOT,
    signal,
    cacheFolder: join(ROOT, 'node_modules/.cache/windlass-mutate'),
    onPicked: (picked, all) => console.log(`mutate: ${picked} of ${all} mutants, seed ${options.seed}`),
    onJudged: (each, done, count) => {
      console.log(`${done}/${count} ${lineOf(each)}`);
      // A run takes an hour and more: whoever waits reads the survivors meanwhile.
      if (each.verdict.kind === 'survived') console.log(survivorsOf([each]));
    },
  });
  const scores = scoresOf(judged);
  const survivors = survivorsOf(judged);
  console.log(`\n${tableOf(scores)}`);
  if (survivors !== '') console.log(`\nSurvivors:\n${survivors}`);
  if (options.jsonFile !== undefined)
    await writeFile(options.jsonFile, `${JSON.stringify({ seed: options.seed, scores, judged }, null, 2)}\n`);
  const ran = scores.some((score) => percentOf(score) !== undefined);
  if (!ran) console.error('mutate: no mutant could be run; the paths have no sources, or their tests fail');
  return ran ? 0 : 1;
}

await runProgram(main);
