import {
  access,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram, type Log, MissingNeedError, needGo, run } from '../real/harness/needs.ts';
import { minorRelease, newestPatch } from './release.ts';

const MODULE = 'k8s.io/kubernetes';
/** What the scripts read, also the manifests of other tests. */
const FOLDERS = [
  'hack',
  'test/cmd',
  'test/fixtures',
  'test/e2e/testing-manifests',
  'third_party/forked/shell2junit',
];
/** What the scripts call, and where Debian has it. */
const PROGRAMS = [
  ['bash', 'bash'],
  ['curl', 'curl'],
  ['jq', 'jq'],
  ['openssl', 'openssl'],
  ['tput', 'ncurses-bin'],
  ['script', 'bsdutils'],
] as const;

export interface ScriptSources {
  /** Of the scripts, such as `v1.32.13`. */
  readonly version: string;
  /** Of the kubectl that they call. */
  readonly kubectlVersion: string;
  /** A copy of the sources that may be written to. */
  readonly folder: string;
}

/**
 * kubectl's own test scripts of the release of the kubectl on PATH, from the module cache of Go, which brings them if
 * they are not there. The copy is a new folder, for the caller to remove.
 * @throws MissingNeedError
 */
export async function copySources(log: Log): Promise<ScriptSources> {
  const { kubectl, kubectlVersion } = await needKubectl();
  for (const [program, debian] of PROGRAMS)
    if ((await findProgram(program)) === undefined)
      throw new MissingNeedError(
        `${program} is needed by kubectl's scripts; install the package "${debian}"`,
      );
  const go = await needGo(`the sources of ${MODULE}`);
  const folder = await mkdtemp(join(tmpdir(), 'windlass-kubectl-scripts-'));
  try {
    const { version, dir } = await download(go, minorRelease(kubectlVersion), log);
    for (const part of FOLDERS) await cp(join(dir, part), join(folder, part), { recursive: true });
    // The module cache is read-only, and knows no programs.
    await makeWritable(folder);
    // The first folder on the scripts' PATH: the kubectl of the release that they belong to would be built there.
    await mkdir(join(folder, '_output/bin'), { recursive: true });
    await symlink(kubectl, join(folder, '_output/bin/kubectl'));
    return { version, kubectlVersion, folder };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function needKubectl(): Promise<{ kubectl: string; kubectlVersion: string }> {
  const found = await findProgram('kubectl');
  if (found === undefined)
    throw new MissingNeedError('kubectl is needed; install it from kubernetes.io or your distribution');
  const version = await clientVersion(found);
  if (!version.endsWith('-dispatcher')) return { kubectl: found, kubectlVersion: version };
  // Google Cloud's kubectl reads the flags, also files that they name, before it calls one of those beside it.
  const beside = join(dirname(await realpath(found)), minorRelease(version).replace('v', 'kubectl.'));
  const kubectl = await access(beside).then(
    () => beside,
    () => found,
  );
  return { kubectl, kubectlVersion: await clientVersion(kubectl) };
}

async function clientVersion(kubectl: string): Promise<string> {
  const { stdout } = await run(kubectl, ['version', '--client', '--output=json']);
  // kubectl's own output.
  return (JSON.parse(stdout) as { readonly clientVersion: { readonly gitVersion: string } }).clientVersion
    .gitVersion;
}

async function download(go: string, minor: string, log: Log): Promise<{ version: string; dir: string }> {
  const cwd = await mkdtemp(join(tmpdir(), 'windlass-module-'));
  try {
    await writeFile(join(cwd, 'go.mod'), 'module scripts\n\ngo 1.23\n');
    const listed = await run(go, ['list', '-m', '-versions', MODULE], { cwd }).catch((error: unknown) => {
      throw new MissingNeedError(`the module proxy of Go is needed, and does not answer: ${String(error)}`);
    });
    const version = newestPatch(listed.stdout.trim().split(' '), minor);
    if (version === undefined)
      throw new MissingNeedError(`${MODULE} ${minor} is needed, and the module proxy of Go does not have it`);
    log(`kubectl's scripts are those of ${MODULE}@${version}`);
    const { stdout } = await run(go, ['mod', 'download', '-json', `${MODULE}@${version}`], { cwd });
    // Go's own output.
    return { version, dir: (JSON.parse(stdout) as { readonly Dir: string }).Dir };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeWritable(path);
    // Plugins of kubectl are scripts among the fixtures.
    else await chmod(path, 0o755);
  }
}
