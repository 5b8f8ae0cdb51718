import { resolve } from 'node:path';
import { type FoundCluster, findCluster } from '@windlass/cluster';
import { UsageError } from '../command-line/exit.ts';
import { notEmpty } from '../command-line/flag-values.ts';
import { Registry } from './registry.ts';
import { namedDataDir } from './user-folders.ts';

const DEFAULT_DATA_DIR = '.windlass';
/** As Kubernetes has names: it becomes part of a context and of a path. */
const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** For the help of commands that are about one cluster. */
export const SELECTION_FLAGS = `  --data-dir DIR    the cluster in this directory  (default .windlass)
  --name NAME       the cluster with this name     (default none)`;

export const SELECTION_OPTIONS = {
  'data-dir': { type: 'string' },
  name: { type: 'string' },
} as const;

export interface Selection {
  readonly 'data-dir'?: string | undefined;
  readonly name?: string | undefined;
}

/** @throws UsageError */
export function checkName(name: string | undefined): string | undefined {
  if (name !== undefined && !NAME.test(name))
    throw new UsageError(
      `--name must be at most 40 of a-z, 0-9 and -, with a letter or digit at both ends, but it is "${name}"`,
    );
  return name;
}

/** Where a cluster is, or would be. */
export function dataDirOf({ 'data-dir': dataDir, name }: Selection): string {
  const given = checkName(name);
  if (dataDir !== undefined) return resolve(notEmpty('--data-dir', dataDir));
  return given === undefined ? resolve(DEFAULT_DATA_DIR) : namedDataDir(given);
}

/** The cluster that is meant, also one that has its name somewhere else; undefined when there is none. */
export async function selectCluster(selection: Selection): Promise<FoundCluster | undefined> {
  const there = await findCluster(dataDirOf(selection));
  if (there !== undefined || selection.name === undefined || selection['data-dir'] !== undefined)
    return there;
  const namesakes = (await new Registry().clusters()).filter(({ record }) => record.name === selection.name);
  if (namesakes.length > 1)
    throw new UsageError(
      `several clusters have the name "${selection.name}"; choose one with --data-dir: ${namesakes.map(({ dataDir }) => dataDir).join(', ')}`,
    );
  return namesakes[0];
}

/** The flags that choose it, to be typed after a command. */
export function selectionText({ 'data-dir': dataDir, name }: Selection): string {
  if (dataDir !== undefined) return ` --data-dir ${dataDir}`;
  return name === undefined ? '' : ` --name ${name}`;
}

/** The sentence for somebody who looks in the wrong place. */
export function noClusterText(selection: Selection): string {
  return `there is no cluster in ${dataDirOf(selection)}; windlass list shows those there are`;
}
