// `npm run new -- NAME`: what `npx windlass new NAME` will be once the package is published. Builds and packs this clone,
// and makes a project that takes the tarball. From elsewhere: `npm --prefix PATH-OF-THE-CLONE run new -- NAME`.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from './build/main.ts';
import { inRoot, OUTPUT } from './build/paths.ts';
import { runProgram } from './run/program.ts';

const run = promisify(execFile);

async function packed(): Promise<string> {
  await build(OUTPUT);
  const folder = fileURLToPath(new URL('..', OUTPUT));
  const flags = ['--json', '--pack-destination', folder, '--loglevel=error'];
  const { stdout } = await run('npm', ['pack', ...flags], { cwd: fileURLToPath(OUTPUT) });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]; // npm's format
  return `${folder}/${filename}`;
}

async function main(signal: AbortSignal): Promise<number> {
  const args = process.argv.slice(2);
  const isHelp = args.includes('--help') || args.includes('-h');
  const given = isHelp ? args : [...args, '--windlass', await packed()];
  const program = fileURLToPath(inRoot('packages/cli/src/windlass.ts'));
  // npm runs scripts in the clone, and says where it was called.
  const cwd = process.env['INIT_CWD'] ?? process.cwd();
  try {
    const { stdout } = await run(process.execPath, [program, 'new', ...given], { cwd, signal });
    process.stdout.write(stdout);
    return 0;
  } catch (error) {
    const { stderr, code } = error as { readonly stderr?: string; readonly code?: number }; // as execFile rejects
    process.stderr.write(stderr ?? String(error));
    return code ?? 1;
  }
}

await runProgram(main);
