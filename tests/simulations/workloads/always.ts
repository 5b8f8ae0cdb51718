// At no moment may two pods of one ordinal be alive: the one before must be known to be gone.
import { Pod } from '@windlass/apimachinery/api/core/v1';
import type { TestCluster } from '@windlass/cluster/testing';

/** Follows stateful pods, and notes each that went from the API while its node could not have ended it. */
export class OrdinalWatch implements AsyncDisposable {
  readonly #stopping = new AbortController();
  readonly violations: string[] = [];
  #done: Promise<void> = Promise.resolve();

  static async follow(cluster: TestCluster, lost: ReadonlySet<string>): Promise<OrdinalWatch> {
    const watch = new OrdinalWatch();
    const pods = cluster.client.resource(Pod).namespace('default');
    const { metadata } = await pods.list();
    const { signal } = watch.#stopping;
    const run = async (): Promise<void> => {
      for await (const { type, object } of pods.watch({
        resourceVersion: metadata.resourceVersion ?? '',
        signal,
      })) {
        const isStateful = object.metadata?.labels?.['apps.kubernetes.io/pod-index'] !== undefined;
        if (
          type === 'DELETED' &&
          isStateful &&
          object.status?.phase === 'Running' &&
          lost.has(object.spec?.nodeName ?? '')
        )
          watch.violations.push(
            `${object.metadata.name} is gone from the API, and may run on ${object.spec?.nodeName}`,
          );
      }
    };
    watch.#done = run().catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    return watch;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }
}
