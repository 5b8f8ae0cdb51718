import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needGo } from '../harness/needs.ts';
import { cacheFolder, kubernetesModule, kubernetesVersion } from '../harness/paths.ts';

const SOURCE = fileURLToPath(new URL('./main.go', import.meta.url));

/** Builds the program once for its source and the pinned release: a minute or two, then never again. */
async function ensureProgram(): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(SOURCE))
    .digest('hex')
    .slice(0, 12);
  const target = cacheFolder('bin', `go-codec-${kubernetesVersion()}-${hash}`);
  const present = await access(target).then(
    () => true,
    () => false,
  );
  if (present) return target;
  const go = await needGo('the codec that ours is compared with');
  await mkdir(cacheFolder('bin'), { recursive: true });
  const partial = `${target}.${process.pid}`;
  await promisify(execFile)(go, ['build', '-trimpath', '-o', partial, SOURCE], {
    cwd: kubernetesModule,
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  await rename(partial, target);
  return target;
}

export interface GoAnswer {
  readonly protobuf: Buffer;
  readonly json: unknown;
}

/** Kubernetes' own codecs, in a process that answers one line for each. */
export class GoCodec implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #waiting: ((line: string) => void)[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout === null) throw new Error('the codec has no output');
    createInterface({ input: child.stdout }).on('line', (line) => this.#waiting.shift()?.(line));
    child.once('exit', (code) => {
      const line = JSON.stringify({ error: `the codec ended with ${code}` });
      for (const answer of this.#waiting.splice(0)) answer(line);
    });
  }

  static async start(): Promise<GoCodec> {
    return new GoCodec(spawn(await ensureProgram(), [], { stdio: ['pipe', 'pipe', 'inherit'] }));
  }

  /** Rejects with Go's words when Go does not take the object. */
  async convert(object: object): Promise<GoAnswer> {
    const line = new Promise<string>((resolve) => this.#waiting.push(resolve));
    this.#child.stdin?.write(`${JSON.stringify(object)}\n`);
    const answer = JSON.parse(await line) as { protobuf: string; json: unknown; error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return { protobuf: Buffer.from(answer.protobuf, 'base64'), json: answer.json };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await gone;
  }
}
