import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { needGo } from '../harness/needs.ts';
import { cacheFolder, repositoryRoot } from '../harness/paths.ts';

const run = promisify(execFile);
const moduleFolder = path.join(repositoryRoot, 'tools/csi-sanity');
const PACKAGE = 'github.com/kubernetes-csi/csi-test/v5';

/** The path of the pinned csi-sanity, built from the published module where the cache has none. */
async function ensureCsiSanity(): Promise<string> {
  const pins = await readFile(path.join(moduleFolder, 'go.mod'), 'utf8');
  const version = new RegExp(`${PACKAGE} (v[\\d.]+)`).exec(pins)?.[1];
  if (version === undefined) throw new Error(`tools/csi-sanity/go.mod does not pin ${PACKAGE}`);
  const target = cacheFolder('bin', `csi-sanity-${version}`);
  const present = await access(target).then(
    () => true,
    () => false,
  );
  if (present) return target;
  const go = await needGo(`csi-sanity ${version}`);
  await mkdir(cacheFolder('bin'), { recursive: true });
  // Two runs may build at the same time; the rename makes each result appear whole.
  const partial = `${target}.${process.pid}`;
  await run(go, ['build', '-trimpath', '-o', partial, `${PACKAGE}/cmd/csi-sanity`], {
    cwd: moduleFolder,
    env: { ...process.env, CGO_ENABLED: '0' },
    maxBuffer: 1 << 26,
  });
  await rename(partial, target);
  return target;
}

export interface SanityResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What it printed, with why something failed. */
  readonly output: string;
}

export interface SanityOptions {
  readonly endpoint: string;
  /** An empty folder for mounts and for staging. */
  readonly folder: string;
  /** Further flags, such as `-csi.testvolumeparameters=FILE`. */
  readonly flags?: readonly string[];
}

/** Runs the whole suite against a driver's socket. */
export async function runCsiSanity({ endpoint, folder, flags = [] }: SanityOptions): Promise<SanityResult> {
  const program = await ensureCsiSanity();
  const args = [
    '-ginkgo.no-color',
    `-csi.endpoint=${endpoint}`,
    `-csi.mountdir=${path.join(folder, 'mount')}`,
    `-csi.stagingdir=${path.join(folder, 'staging')}`,
    ...flags,
  ];
  const output = await run(program, args, { timeout: 300_000, maxBuffer: 1 << 26 }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; message: string }) => error.stdout ?? error.message,
  );
  const summary = /(\d+) Passed \| (\d+) Failed \| \d+ Pending \| (\d+) Skipped/.exec(output);
  if (summary === null) throw new Error(`csi-sanity gave no summary:\n${output}`);
  const [, passed, failed, skipped] = summary;
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped), output };
}
