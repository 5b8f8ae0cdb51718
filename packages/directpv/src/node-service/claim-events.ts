import { type Cached, isNotFound } from '@windlass/apimachinery';
import { PersistentVolume, type PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { DirectPVVolume } from '../resources/index.ts';
import type { NodeContext } from './node-context.ts';
import { messageOf } from './requests.ts';

type Volume = Cached<DirectPVVolume>;

/**
 * Warns of a volume where people look: at the volume, and at the claim that it was made for. A volume without a claim,
 * or one whose persistent volume is not there yet, has nobody else to be told.
 */
export async function warnOfVolume(
  context: NodeContext,
  volume: Volume,
  reason: string,
  note: string,
  signal: AbortSignal,
): Promise<void> {
  context.recorder.warning(volume, reason, note);
  await warnClaim(context, volume, reason, note, signal);
}

/** As `warnOfVolume`, of the claim alone. */
export async function warnClaim(
  context: NodeContext,
  volume: Volume,
  reason: string,
  note: string,
  signal: AbortSignal,
): Promise<void> {
  const { recorder, logger } = context;
  const name = volume.metadata.name;
  try {
    const claim = await claimOf(context, name, signal);
    if (claim !== undefined) recorder.warning(claim, reason, `Volume ${name}: ${note}`);
  } catch (error) {
    if (signal.aborted) throw error;
    logger.warn('the claim of a volume could not be told', { volume: name, reason, why: messageOf(error) });
  }
}

/** Enough of the claim to write an event of it. Provisioners name persistent volumes like the volumes behind them. */
async function claimOf(
  { client }: NodeContext,
  name: string,
  signal: AbortSignal,
): Promise<PersistentVolumeClaim | undefined> {
  try {
    const { spec } = await client.resource(PersistentVolume).get(name, { signal });
    const { csi, claimRef } = spec ?? {};
    if (csi?.volumeHandle !== name || claimRef?.name === undefined) return undefined;
    const { namespace, uid } = claimRef;
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: claimRef.name,
        ...(namespace !== undefined && { namespace }),
        ...(uid !== undefined && { uid }),
      },
    };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
