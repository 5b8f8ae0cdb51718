import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '@windlass/base';
import type { ProcessIdentity } from './process-identity.ts';

const FILE = 'cluster.json';

/** What a data directory says of the cluster in it: who runs it and where it is. */
export interface ClusterRecord {
  /** As it was given at the last start. Undefined when it has none. */
  readonly name?: string;
  /** Who runs it, or ran it when it was killed; undefined after it was stopped. */
  readonly process?: ProcessIdentity;
  /** When the process began, in RFC 3339. */
  readonly startedAt?: string;
  /** Whether every part has served since then. */
  readonly isReady?: boolean;
  /** The last address. */
  readonly server?: string;
  /** The kubeconfig of the user that it was merged into. */
  readonly mergedInto?: string;
  /** What goes with a cluster that keeps nothing; undefined for one that keeps its objects. */
  readonly inMemory?: {
    /** Entries of the data directory that were not there before. */
    readonly made: readonly string[];
    /** Whether the data directory was not there either. */
    readonly madeDirectory: boolean;
  };
}

export function recordPath(dataDir: string): string {
  return join(dataDir, FILE);
}

/** Undefined when there is none, or when it is not one. */
export async function readRecord(dataDir: string): Promise<ClusterRecord | undefined> {
  try {
    return parseRecord(await readFile(recordPath(dataDir), 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

export async function writeRecord(dataDir: string, record: ClusterRecord): Promise<void> {
  await writeWhole(recordPath(dataDir), recordText(record), 0o600);
}

export function recordText(record: ClusterRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

/** A field that is not what it should be is left out: a record tells who runs a cluster, and decides nothing else. */
export function parseRecord(text: string): ClusterRecord | undefined {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) return undefined;
  const { process: owner, inMemory } = value;
  const string = (field: string): Record<string, string> => {
    const found = value[field];
    return typeof found === 'string' ? { [field]: found } : {};
  };
  return {
    ...string('name'),
    ...string('startedAt'),
    ...string('server'),
    ...string('mergedInto'),
    ...(value['isReady'] === true && { isReady: true }),
    ...(isObject(owner) &&
      typeof owner['pid'] === 'number' && {
        process: {
          pid: owner['pid'],
          ...(typeof owner['started'] === 'string' && { started: owner['started'] }),
        },
      }),
    ...(isObject(inMemory) && {
      inMemory: {
        made: Array.isArray(inMemory['made'])
          ? inMemory['made'].filter((name) => typeof name === 'string')
          : [],
        madeDirectory: inMemory['madeDirectory'] === true,
      },
    }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
