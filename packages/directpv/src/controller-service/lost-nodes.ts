import {
  type Cached,
  formatTime,
  isBeingDeleted,
  isConditionTrue,
  isNotFound,
  parseTime,
  removeFinalizer,
} from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { type Client, retryOnConflict } from '@windlass/client';
import { type KindClient, type Manager, timerSource } from '@windlass/runtime';
import { release } from '../accounting/index.ts';
import {
  ANNOTATIONS,
  DirectPVDrive,
  DirectPVNode,
  type DirectPVSnapshot,
  type DirectPVVolume,
  FINALIZERS,
  isReleased,
  LABELS,
  nodeLabelValue,
  nodeOfDrive,
  volumesOfDrive,
  withoutProblem,
  withProblem,
} from '../resources/index.ts';
import { type ControllerContext, forWriting } from './context.ts';
import { DriveGoneError } from './errors.ts';
import { ObservedAges } from './observed-ages.ts';

type Drive = Cached<DirectPVDrive>;
type Volume = Cached<DirectPVVolume>;

export interface LostNodesOptions {
  /** How long a node must have been missing before its drives and volumes count as lost. */
  readonly goneAfterMs: number;
  /** How long a drive of a lost node that holds nothing is kept, should the node come back. */
  readonly forgetDrivesAfterMs: number;
}

const EVERY_MS = 30_000;

/**
 * Takes care of what nodes leave that are gone for good: their drives and volumes are marked as lost; volumes that
 * nobody wants any more are let go although no node is there to purge them; empty drives are forgotten in the end.
 * Nothing of this happens to a node that has an object, whatever state it is in: it may be off for the weekend.
 */
export class LostNodes {
  readonly #nodes: KindClient<Node>;
  readonly #client: Client;
  readonly #context: ControllerContext;
  readonly #options: LostNodesOptions;
  readonly #ages: ObservedAges;

  constructor(manager: Manager, context: ControllerContext, options: LostNodesOptions) {
    this.#nodes = manager.objects(Node);
    this.#client = manager.client;
    this.#context = context;
    this.#options = options;
    this.#ages = new ObservedAges(context.clock);
  }

  addTo(manager: Manager): void {
    const { clock } = this.#context;
    manager
      .controller('directpv-lost-nodes')
      .source(timerSource({ name: 'every 30 s', everyMs: EVERY_MS, keys: () => ['all'], clock }))
      .reconcile((_, { signal }) => this.#sweep(signal));
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    const { ledger, volumes } = this.#context;
    const [nodes, all, snapshots] = await Promise.all([
      this.#nodes.list({ signal }),
      volumes.list({ signal }),
      this.#context.snapshots.list({ signal }),
    ]);
    const drives = [...ledger.drives()];
    const present = new Set(nodes.map(({ metadata }) => nodeLabelValue(metadata.name)));
    const named = new Set([...drives.map(nodeOfDrive), ...all.map(nodeOfVolume)]);
    const ages = this.#ages.see(
      'nodes',
      [...named].filter((node) => node !== '' && !present.has(node)),
    );
    const due = [...ages].filter(([, age]) => age >= this.#options.goneAfterMs).map(([node]) => node);
    const gone = due.length === 0 ? new Set<string>() : await this.#confirmed(due, signal);

    // One that cannot be dealt with must not keep the others waiting.
    const failures: unknown[] = [];
    const attempt = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => {
        if (!(isNotFound(error) || error instanceof DriveGoneError)) failures.push(error);
      });
    for (const volume of all) {
      const node = nodeOfVolume(volume);
      if (gone.has(node)) await attempt(this.#loseVolume(volume, node, signal));
      else if (present.has(node) && isMarked(volume)) await attempt(this.#findVolume(volume, signal));
    }
    for (const snapshot of snapshots) {
      const isUnwanted = gone.has(snapshot.metadata?.labels?.[LABELS.node] ?? '') && isBeingDeleted(snapshot);
      if (isUnwanted) await attempt(this.#purgeSnapshot(snapshot, signal));
    }
    for (const { metadata } of drives) {
      const drive = ledger.get(metadata.name);
      if (drive === undefined) continue;
      const node = nodeOfDrive(drive);
      if (gone.has(node)) await attempt(this.#loseDrive(drive, node, signal));
      else if (present.has(node) && isMarked(drive)) await attempt(this.#findDrive(drive, signal));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** The API server itself is asked. A cluster without any node is no cluster that lost one: we may not see them. */
  async #confirmed(due: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    const present = new Set<string>();
    for await (const { metadata } of this.#client.resource(Node).metadata.items({ signal }))
      present.add(nodeLabelValue(metadata.name));
    if (present.size === 0) {
      this.#context.logger.warn('no node is to be seen, so none is taken for lost', { missing: due.length });
      return new Set();
    }
    return new Set(due.filter((node) => !present.has(node)));
  }

  async #loseVolume(volume: Volume, node: string, signal: AbortSignal): Promise<void> {
    const { recorder, metrics, clock } = this.#context;
    let current = volume;
    if (!isConditionTrue(volume.status.conditions, 'Lost') || !isMarked(volume)) {
      const message = `its node ${node} is gone`;
      current = await this.#updateVolume(volume, signal, (old) =>
        withProblem(marked(old, formatTime(clock.now())), 'Lost', message, clock),
      );
      recorder.warning(current, 'VolumeLost', message);
      metrics.repaired('lost-volume');
    }
    if (isBeingDeleted(current) && isReleased(current)) await this.#purge(current, signal);
  }

  /** What the node would do, but for the data: that is gone with it, or will be when the drive is formatted anew. */
  async #purge(volume: Volume, signal: AbortSignal): Promise<void> {
    const { ledger, metrics } = this.#context;
    const id = volume.metadata.name;
    const claimId = volume.metadata?.labels?.[LABELS.claimId];
    const bytes = volume.status.totalCapacity;
    for (const name of ledger.holdersOf(id)) {
      await ledger.change(name, {
        signal,
        apply: (drive) => release(drive, { volume: id, bytes, ...(claimId !== undefined && { claimId }) }),
      });
    }
    await this.#updateVolume(volume, signal, (old) => removeFinalizer(old, FINALIZERS.purgeProtection));
    metrics.repaired('purged-volume');
  }

  /** As `#purge`. */
  async #purgeSnapshot(snapshot: Cached<DirectPVSnapshot>, signal: AbortSignal): Promise<void> {
    const { ledger, snapshots, metrics } = this.#context;
    const id = snapshot.metadata.name;
    const bytes = snapshot.status.totalCapacity;
    for (const name of ledger.holdersOf(id))
      await ledger.change(name, { signal, apply: (drive) => release(drive, { volume: id, bytes }) });
    // A client takes what it is to write as its own, but does not change it.
    const free = removeFinalizer(snapshot, FINALIZERS.purgeProtection) as DirectPVSnapshot;
    await snapshots.update(free, { signal });
    metrics.repaired('purged-snapshot');
  }

  async #loseDrive(drive: Drive, node: string, signal: AbortSignal): Promise<void> {
    const { ledger, recorder, metrics, clock } = this.#context;
    const name = drive.metadata.name;
    const isLost = drive.status.status === 'Lost' || drive.status.status === 'Removed';
    let current = drive;
    if (!isLost || !isMarked(drive)) {
      const now = formatTime(clock.now());
      const message = `its node ${node} is gone`;
      current = await ledger.change(name, {
        signal,
        apply: (old) => {
          const noted = withProblem(isMarked(old) ? old : marked(old, now), 'Lost', message, clock);
          if (old.status.status === 'Lost' || old.status.status === 'Removed') return noted;
          return { ...noted, status: { ...noted.status, status: 'Lost' } };
        },
      });
      recorder.warning(current, 'DriveLost', message);
      metrics.repaired('lost-drive');
    }
    if (volumesOfDrive(current).length > 0) return;
    const isUnwanted = isBeingDeleted(current) || current.status.status === 'Removed';
    const since = parseTime(current.metadata?.annotations?.[ANNOTATIONS.nodeLostSince] ?? formatTime(0));
    if (isUnwanted || clock.now() - since >= this.#options.forgetDrivesAfterMs)
      await this.#removeDrive(current, node, signal);
  }

  async #removeDrive(drive: Drive, node: string, signal: AbortSignal): Promise<void> {
    const { ledger, metrics } = this.#context;
    const name = drive.metadata.name;
    const free = await ledger.change(name, {
      signal,
      // A volume that came to it meanwhile keeps it.
      apply: (old) =>
        volumesOfDrive(old).length > 0 ? old : removeFinalizer(old, FINALIZERS.dataProtection),
    });
    if (volumesOfDrive(free).length > 0) return;
    const { uid, resourceVersion } = free.metadata ?? {};
    if (!isBeingDeleted(free))
      await this.#client.resource(DirectPVDrive).delete(name, {
        signal,
        preconditions: {
          ...(uid !== undefined && { uid }),
          ...(resourceVersion !== undefined && { resourceVersion }),
        },
      });
    metrics.repaired('removed-drive');
    const isLast = ![...ledger.drives()].some((other) => other !== drive && nodeOfDrive(other) === node);
    if (isLast) await this.#client.resource(DirectPVNode).delete(node, { signal });
  }

  async #findVolume(volume: Volume, signal: AbortSignal): Promise<void> {
    await this.#updateVolume(volume, signal, (old) => withoutProblem(unmarked(old), 'Lost'));
  }

  /** Whether the drive itself is there, its node tells. */
  async #findDrive(drive: Drive, signal: AbortSignal): Promise<void> {
    await this.#context.ledger.change(drive.metadata.name, { signal, apply: unmarked });
  }

  async #updateVolume(volume: Volume, signal: AbortSignal, change: (old: Volume) => Volume): Promise<Volume> {
    const { volumes, clock, random } = this.#context;
    let known: Volume | undefined = volume;
    return retryOnConflict(
      async () => {
        const old = known ?? (await volumes.live().get(volume.metadata.name, { signal }));
        known = undefined;
        const next = change(old);
        return next === old ? old : volumes.update(forWriting(next), { signal });
      },
      { signal, clock, random },
    );
  }
}

function nodeOfVolume(volume: Volume): string {
  return volume.metadata?.labels?.[LABELS.node] ?? '';
}

interface Annotated {
  readonly metadata?: { readonly annotations?: { readonly [key: string]: string } };
}

function isMarked({ metadata }: Annotated): boolean {
  return metadata?.annotations?.[ANNOTATIONS.nodeLostSince] !== undefined;
}

function marked<T extends Annotated>(object: T, since: string): T {
  const annotations = { [ANNOTATIONS.nodeLostSince]: since, ...object.metadata?.annotations };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function unmarked<T extends Annotated>(object: T): T {
  if (!isMarked(object)) return object;
  const { [ANNOTATIONS.nodeLostSince]: _since, ...annotations } = { ...object.metadata?.annotations };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
