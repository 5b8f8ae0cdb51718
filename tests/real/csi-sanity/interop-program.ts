import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { needGo } from '../harness/needs.ts';
import { cacheFolder, repositoryRoot } from '../harness/paths.ts';

/** The path of tools/csi-sanity/interop, built when it is not current. */
export async function ensureInterop(): Promise<string> {
  const go = await needGo('the gRPC interop program');
  const target = cacheFolder('bin', 'csi-interop');
  await mkdir(cacheFolder('bin'), { recursive: true });
  await promisify(execFile)(go, ['build', '-trimpath', '-buildvcs=false', '-o', target, './interop'], {
    cwd: path.join(repositoryRoot, 'tools/csi-sanity'),
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  return target;
}
