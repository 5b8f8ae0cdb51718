// For the tests of the bootstrap: a folder as after a clone, with an npm that only notes how it was called.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';

const BOOTSTRAP = new URL('bootstrap.cjs', import.meta.url).pathname;
export const PLATFORM_PACKAGE = `node-${process.platform}-${process.arch}`;

// Notes how it was called, and installs the pinned Node: a link to the one that runs this test.
const FAKE_NPM = `#!/usr/bin/env node
const fs = require('node:fs');
fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
fs.rmSync('node_modules', { recursive: true, force: true });
if (fs.existsSync('npm-fails')) process.exit(3);
if (fs.existsSync('npm-takes'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(fs.readFileSync('npm-takes', 'utf8')));
if (fs.existsSync('npm-fails-late')) {
  fs.rmSync('npm-fails-late');
  process.exit(3);
}
fs.mkdirSync('node_modules/${PLATFORM_PACKAGE}/bin', { recursive: true });
if (!fs.existsSync('no-pinned-node'))
  fs.symlinkSync(${JSON.stringify(process.execPath)}, 'node_modules/${PLATFORM_PACKAGE}/bin/node');
`;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with the bootstrap in it as after a clone, which is run by the Node that `node` names. */
export class Clone implements AsyncDisposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'windlass-bootstrap-')));
  readonly #node: string;

  constructor(node: string) {
    this.#node = node;
    mkdirSync(join(this.path, 'tools'));
    mkdirSync(join(this.path, 'bin'));
    copyFileSync(BOOTSTRAP, join(this.path, 'tools/bootstrap.cjs'));
    symlinkSync(node, join(this.path, 'bin/node'));
    this.write('bin/npm', FAKE_NPM, 0o755);
    this.write('package-lock.json', '{}');
  }

  write(name: string, content: string, mode = 0o644): void {
    writeFileSync(join(this.path, name), content, { mode });
  }

  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(this.#node, ['tools/bootstrap.cjs', ...args], {
      cwd: this.path,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH: `${join(this.path, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
        npm_execpath: join(this.path, 'bin/npm'),
        NODE_TEST_CONTEXT: undefined,
        ...env,
      },
    });
  }

  async run(script: string, args: readonly string[] = [], env?: NodeJS.ProcessEnv): Promise<Outcome> {
    this.write('script.cjs', script);
    const child = this.start(['script.cjs', ...args], env);
    assert.ok(child.stdout && child.stderr);
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, stdout, stderr };
  }

  /** Starts it and answers at once; what it says comes with the promise. */
  begin(): { readonly child: ChildProcess; readonly outcome: Promise<Outcome>; readonly said: () => string } {
    const child = this.start(['script.cjs']);
    assert.ok(child.stdout && child.stderr);
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const outcome = Promise.all([text(child.stdout), once(child, 'close')]).then(([stdout]) => ({
      code: child.exitCode,
      stdout,
      stderr,
    }));
    return { child, outcome, said: () => stderr };
  }

  get lock(): string {
    return join(this.path, '.windlass-installing');
  }

  /** What npm itself leaves: its note of what it installed, and that. */
  installByHand(installed: Readonly<Record<string, object>>): void {
    for (const name of Object.keys(installed)) mkdirSync(join(this.path, name), { recursive: true });
    mkdirSync(join(this.path, 'node_modules', PLATFORM_PACKAGE, 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(this.path, 'node_modules', PLATFORM_PACKAGE, 'bin/node'));
    this.write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
  }

  get npmCalls(): string[] {
    const file = join(this.path, 'npm-calls');
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.path, { recursive: true });
  }
}

export function nodesOfThisMachine(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const found = [...folders, process.env['npm_node_execpath'] ?? '', process.execPath];
  return [...new Set(found.filter((file) => existsSync(file)).map((file) => realpathSync(file)))];
}

export const NPM_CI = 'ci --no-audit --no-fund --loglevel=error';
