import type { Cached } from '@windlass/apimachinery';
import { isNotFound, isUidConflict } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import type { Client } from '@windlass/client';
import type { PodRecord } from './pod-record.ts';
import { podStatus, statusPatch } from './pod-status.ts';

export interface PodWriterOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly hostIP: string;
}

/**
 * Tells the server what became of a pod. A pod that is gone, or another one of its name, is left alone. Any other refusal
 * is thrown: nothing else would bring the pod here again.
 */
export class PodWriter {
  readonly #options: PodWriterOptions;

  constructor(options: PodWriterOptions) {
    this.#options = options;
  }

  /** Writes what the server does not know yet, and notes in the record what it knows then. */
  async writeStatus(pod: Cached<Pod>, record: PodRecord, signal: AbortSignal): Promise<void> {
    const { client, clock, hostIP } = this.#options;
    const patch = statusPatch(record.written, podStatus(pod, record, { hostIP, now: clock.now() }));
    if (patch === undefined) return;
    const { name, namespace, uid } = pod.metadata;
    try {
      const written = await client
        .resource(Pod)
        .namespace(namespace)
        // With the uid the server refuses to patch another pod of the same name.
        .status.patch(name, { metadata: { uid }, status: patch }, { type: 'strategic', signal });
      record.written = written.status ?? {};
      record.writtenVersion = written.metadata.resourceVersion;
    } catch (error) {
      if (!isNotFound(error) && !isUidConflict(error)) throw error;
    }
  }

  /** Removes a pod that is being deleted and has ended. */
  async remove(pod: Cached<Pod>, signal: AbortSignal): Promise<void> {
    const { name, namespace, uid, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp === undefined) return;
    try {
      await this.#options.client
        .resource(Pod)
        .namespace(namespace)
        .delete(name, { gracePeriodSeconds: 0, preconditions: { uid }, signal });
    } catch (error) {
      if (!isNotFound(error) && !isUidConflict(error)) throw error;
    }
  }
}
