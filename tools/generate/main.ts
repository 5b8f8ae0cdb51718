// `npm run generate` writes the tables and types of the built-in API and of the protocols of storage and containers;
// `npm run generate -- --check` writes nothing and fails when what is committed is not what the pinned
// modules give.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCriOutputs, buildCsiOutputs } from './csi.ts';
import { buildEtcdOutputs } from './etcd.ts';
import { readText } from './files.ts';
import { downloadModules } from './modules.ts';
import { buildOutputs } from './outputs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A folder of generated files, and what must be in it. */
interface Target {
  readonly folder: string;
  readonly outputs: () => Promise<ReadonlyMap<string, string>>;
}

const TARGETS: readonly Target[] = [
  {
    folder: 'packages/apimachinery/src/generated',
    outputs: async () => {
      const modules = await downloadModules(path.join(root, 'tools/kubernetes'));
      return buildOutputs(modules, readText(path.join(root, 'packages/apimachinery/src/object.ts')));
    },
  },
  {
    folder: 'packages/csi/src/generated',
    outputs: () => buildCsiOutputs(path.join(root, 'tools/csi')),
  },
  {
    folder: 'packages/apiserver/src/storage/etcd/generated',
    outputs: () => buildEtcdOutputs(path.join(root, 'tools/kubernetes')),
  },
  {
    folder: 'packages/kubelet/src/cri/generated',
    outputs: () => buildCriOutputs(path.join(root, 'tools/csi')),
  },
];

function committedFiles(folder: string): Map<string, string> {
  const files = globSync('**/*.{ts,json}', { cwd: folder });
  return new Map(
    files.map((file) => [file.split(path.sep).join('/'), readFileSync(path.join(folder, file), 'utf8')]),
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

/** How many files are not current. They are written unless only a check is asked for. */
async function generate({ folder, outputs }: Target, check: boolean): Promise<number> {
  const wanted = await outputs();
  const stale = staleFiles(wanted, committedFiles(path.join(root, folder)));
  for (const name of stale) {
    const file = path.join(root, folder, name);
    const text = wanted.get(name);
    if (check) console.error(`${folder}/${name} is not current`);
    else if (text === undefined) rmSync(file);
    else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  if (!check) console.log(`${folder}: ${wanted.size} files, ${stale.length} changed`);
  return stale.length;
}

async function main(check: boolean): Promise<number> {
  let stale = 0;
  for (const target of TARGETS) stale += await generate(target, check);
  if (!check || stale === 0) return 0;
  console.error('run `npm run generate` and commit what it writes');
  return 1;
}

if (import.meta.main) {
  const [argument, ...rest] = process.argv.slice(2);
  if ((argument !== undefined && argument !== '--check') || rest.length > 0) {
    console.error('usage: npm run generate [-- --check]');
    process.exitCode = 2;
  } else process.exitCode = await main(argument === '--check');
}
