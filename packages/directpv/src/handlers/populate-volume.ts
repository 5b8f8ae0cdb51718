import { type Cached, isBeingDeleted } from '@windlass/apimachinery';
import type { ReconcileResult } from '@windlass/runtime';
import { CopyError, copyConsistently } from '../node-service/consistent-copy.ts';
import {
  changeVolume,
  type NodeContext,
  readDrive,
  readSnapshot,
  readVolume,
} from '../node-service/node-context.ts';
import { podsOfVolume } from '../node-service/pods-of-volume.ts';
import { messageOf } from '../node-service/requests.ts';
import {
  ANNOTATIONS,
  awaitsContents,
  CONTENTS_COPIED,
  type ContentSource,
  contentSource,
  contentSourceText,
  contentState,
  type DirectPVVolume,
  EVENT_REASONS,
} from '../resources/index.ts';

type Volume = Cached<DirectPVVolume>;

const RETRY_MS = 5_000;

/** Copies what a new volume is made of. Nobody uses the volume before that, so it may be begun anew at any time. */
export async function populateVolume(
  context: NodeContext,
  seen: Volume,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const source = contentSource(seen);
  if (source === undefined || !awaitsContents(seen)) return {};
  const name = seen.metadata.name;
  return context.locks.run(name, signal, async () => {
    const volume = await readVolume(context, name, signal);
    if (volume === undefined || isBeingDeleted(volume) || !awaitsContents(volume)) return {};
    try {
      // The source's own calls wait: what it is used by must not change meanwhile.
      await context.locks.run(source.id, signal, () => copyContents(context, volume, source, signal));
    } catch (error) {
      if (signal.aborted) throw error;
      await noteFailure(context, volume, messageOf(error), signal);
      return { requeueAfterMs: RETRY_MS };
    }
    const done = await changeVolume(context, name, (newest) => withState(newest, CONTENTS_COPIED), signal);
    if (done !== undefined)
      context.recorder.normal(
        done,
        EVENT_REASONS.volumeRestored,
        `Volume has the contents of ${contentSourceText(source)}`,
      );
    return {};
  });
}

async function copyContents(
  context: NodeContext,
  volume: Volume,
  source: ContentSource,
  signal: AbortSignal,
): Promise<void> {
  const { fsuuid, totalCapacity } = volume.status;
  const { place, pods } = await findSource(context, source, signal);
  const drive = await readDrive(context, fsuuid, signal);
  if (drive === undefined) throw new CopyError('Failed', `drive ${fsuuid} is gone`);
  if (place !== fsuuid)
    throw new CopyError(
      'Failed',
      `${source.kind} ${source.id} is on drive ${place}, the volume on ${fsuuid}`,
    );
  await copyConsistently(context, {
    drive,
    from: source.id,
    to: volume.metadata.name,
    limitBytes: totalCapacity,
    pods,
    signal,
  });
}

/** The drive that the source is on, and the pods that may write to it. */
async function findSource(
  context: NodeContext,
  { kind, id }: ContentSource,
  signal: AbortSignal,
): Promise<{ readonly place: string; readonly pods: readonly string[] }> {
  if (kind === 'snapshot') {
    const snapshot = await readSnapshot(context, id, signal);
    if (snapshot?.status.status !== 'Ready') throw new CopyError('Failed', `snapshot ${id} is not there`);
    return { place: snapshot.status.fsuuid, pods: [] };
  }
  const volume = await readVolume(context, id, signal);
  if (volume === undefined) throw new CopyError('Failed', `volume ${id} is not there`);
  return { place: volume.status.fsuuid, pods: podsOfVolume(volume) };
}

async function noteFailure(
  context: NodeContext,
  volume: Volume,
  why: string,
  signal: AbortSignal,
): Promise<void> {
  if (contentState(volume) === why) return;
  const noted = await changeVolume(context, volume.metadata.name, (newest) => withState(newest, why), signal);
  if (noted !== undefined) context.recorder.warning(noted, EVENT_REASONS.volumeRestoreFailed, why);
}

function withState(volume: Volume, state: string): Volume {
  if (contentState(volume) === state) return volume;
  const annotations = { ...volume.metadata?.annotations, [ANNOTATIONS.contentState]: state };
  return { ...volume, metadata: { ...volume.metadata, annotations } };
}
