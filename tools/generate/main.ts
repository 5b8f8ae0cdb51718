// `npm run generate` writes the tables and types of the built-in API; `npm run generate -- --check` writes
// nothing and fails when what is committed is not what this release gives.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readText } from './files.ts';
import { downloadModules } from './modules.ts';
import { buildOutputs } from './outputs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = path.join(root, 'packages/apimachinery/src');
const target = path.join(source, 'generated');

function committedFiles(): Map<string, string> {
  const files = globSync('**/*.{ts,json}', { cwd: target });
  return new Map(
    files.map((file) => [file.split(path.sep).join('/'), readFileSync(path.join(target, file), 'utf8')]),
  );
}

/** Every file that is missing, stale or left over. */
export function staleFiles(
  wanted: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
): string[] {
  const names = new Set([...wanted.keys(), ...present.keys()]);
  return [...names].filter((name) => wanted.get(name) !== present.get(name)).sort();
}

async function main(check: boolean): Promise<number> {
  const modules = await downloadModules(path.join(root, 'tools/kubernetes'));
  const outputs = buildOutputs(modules, readText(path.join(source, 'object.ts')));
  const stale = staleFiles(outputs, committedFiles());
  if (check) {
    for (const name of stale) console.error(`packages/apimachinery/src/generated/${name} is not current`);
    if (stale.length > 0) console.error('run `npm run generate` and commit what it writes');
    return stale.length > 0 ? 1 : 0;
  }
  for (const name of stale) {
    const file = path.join(target, name);
    const text = outputs.get(name);
    if (text === undefined) rmSync(file);
    else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  console.log(`Kubernetes ${modules.release}: ${outputs.size} files, ${stale.length} changed`);
  return 0;
}

if (import.meta.main) {
  const [argument, ...rest] = process.argv.slice(2);
  if ((argument !== undefined && argument !== '--check') || rest.length > 0) {
    console.error('usage: npm run generate [-- --check]');
    process.exitCode = 2;
  } else process.exitCode = await main(argument === '--check');
}
