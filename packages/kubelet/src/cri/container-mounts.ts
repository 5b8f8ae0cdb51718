import type { Stats } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import type { DeepReadonly } from '@windlass/apimachinery';
import type { HostPathVolumeSource, VolumeMount } from '@windlass/apimachinery/api/core/v1';
import type { MessageInit } from '@windlass/grpc';
import { expand } from '../environment/expand.ts';
import { StartError, type StartRequest } from '../runtime/runtime.ts';
import { errorCode } from '../volume-manager/files/node-files.ts';
import { mountOf } from './config/mounts.ts';
import type { Mount } from './generated/cri.ts';
import type { PodFiles } from './pod-files.ts';
import { mountSubPath } from './sub-paths.ts';

/** What a container mounts of the pod's volumes. @throws StartError for what cannot be mounted */
export async function volumeMounts(
  { pod, container, volumes }: Pick<StartRequest, 'pod' | 'container' | 'volumes'>,
  environment: ReadonlyMap<string, string>,
  files: PodFiles,
): Promise<MessageInit<Mount>[]> {
  const directories = volumes();
  const mounts: MessageInit<Mount>[] = [];
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const directory = directories.get(mount.name);
    if (directory === undefined)
      throw new StartError(
        'CreateContainerConfigError',
        `volume "${mount.name}" cannot be mounted into a container of this node`,
      );
    const hostPath = pod.spec?.volumes?.find(({ name }) => name === mount.name)?.hostPath;
    if (hostPath !== undefined) await checkHostPath(hostPath);
    const subPath = subPathOf(mount, environment);
    if (subPath === '') mounts.push(mountOf(mount, directory));
    else {
      const target = `${files.subPaths(pod.metadata.uid, container.name)}/${index}`;
      mounts.push(mountOf(mount, await mounted(directory, subPath, target, mount.name)));
    }
  }
  return mounts;
}

async function mounted(directory: string, subPath: string, target: string, volume: string): Promise<string> {
  try {
    return await mountSubPath(directory, subPath, target);
  } catch (error) {
    throw new StartError(
      'CreateContainerConfigError',
      `failed to prepare subPath for volumeMount "${volume}": ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
}

function subPathOf(
  { subPath = '', subPathExpr = '' }: DeepReadonly<VolumeMount>,
  environment: ReadonlyMap<string, string>,
): string {
  if (subPathExpr === '') return subPath;
  return expand(subPathExpr, (name) => environment.get(name) ?? '');
}

/** What kinds of files a pod may want on its node, and how to see them. */
const KINDS: Readonly<Record<string, readonly [words: string, isIt: (stats: Stats) => boolean]>> = {
  Directory: ['a directory', (stats) => stats.isDirectory()],
  DirectoryOrCreate: ['a directory', (stats) => stats.isDirectory()],
  File: ['a file', (stats) => stats.isFile()],
  FileOrCreate: ['a file', (stats) => stats.isFile()],
  Socket: ['a socket file', (stats) => stats.isSocket()],
  CharDevice: ['a character device', (stats) => stats.isCharacterDevice()],
  BlockDevice: ['a block device', (stats) => stats.isBlockDevice()],
};

/** @throws StartError when what is there is of another kind, or nothing is */
export async function checkHostPath({ path, type = '' }: DeepReadonly<HostPathVolumeSource>): Promise<void> {
  const kind = KINDS[type];
  if (kind === undefined) return;
  if (type === 'DirectoryOrCreate') await mkdir(path, { recursive: true, mode: 0o755 }).catch(() => {});
  if (type === 'FileOrCreate') await writeFile(path, '', { flag: 'a', mode: 0o644 }).catch(() => {});
  const found = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  const [words, isIt] = kind;
  if (found === undefined || !isIt(found))
    throw new StartError('CreateContainerConfigError', `hostPath type check failed: ${path} is not ${words}`);
}
