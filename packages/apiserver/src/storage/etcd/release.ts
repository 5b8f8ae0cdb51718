import type { Logger } from '@windlass/base';
import { EtcdUnusableError } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';

/** From these on, the answer to the question how far a watch is comes after all events before it. */
const SAFE_PATCHES: Readonly<Record<string, number>> = { '3.4': 31, '3.5': 13 };

/** What the store must know of an etcd. */
export interface EtcdFacts {
  /** Of the cluster and the prefix: revisions of another one do not compare. */
  readonly id: string;
  readonly isProgressSafe: boolean;
}

/** @throws EtcdUnusableError when it is none, or too old */
export async function describeEtcd(client: EtcdClient, prefix: string, logger: Logger): Promise<EtcdFacts> {
  const { header, version } = await client.read('asking etcd for its version', (etcd) => etcd.status({}));
  const safe = isProgressSafe(version);
  if (!safe)
    logger.info('etcd is watched as a whole: its release cannot tell how far the watch of a part is', {
      version,
    });
  return { id: `etcd-${header?.clusterId ?? '0'}${prefix}`, isProgressSafe: safe };
}

/** @throws EtcdUnusableError when the version is none, or before 3.4 */
export function isProgressSafe(version: string): boolean {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  if (patch === undefined)
    throw new EtcdUnusableError(`"${version}" is no version of etcd; is it an etcd at all?`);
  if (Number(major) < 3 || (Number(major) === 3 && Number(minor) < 4))
    throw new EtcdUnusableError(`etcd ${version} is too old; 3.4 or later is needed`);
  return Number(patch) >= (SAFE_PATCHES[`${major}.${minor}`] ?? 0);
}
