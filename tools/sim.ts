// `npm run sim -- [FLAGS]`: `windlass sim` with our own simulations, which are in tests/simulations. With a file it is
// that file's.
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { processTerminal } from '../packages/cli/src/command-line/terminal.ts';
import { main } from '../packages/cli/src/main.ts';
import { namesFile } from '../packages/cli/src/sim/sim-command.ts';
import { inRoot } from './build/paths.ts';
import { runProgram } from './run/program.ts';

const args = process.argv.slice(2);
const folder = fileURLToPath(inRoot('tests/simulations/'));
const own = globSync('*.ts', { cwd: folder, exclude: ['*.test.ts'] })
  .sort()
  .map((file) => `${folder}${file}`);
await runProgram((signal) =>
  main(['sim', ...(namesFile(args) ? args : [...own, ...args])], processTerminal, signal),
);
