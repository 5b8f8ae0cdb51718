import { deepEqual, type Served } from '@windlass/apimachinery';
import { Deployment, type DeploymentStatus } from '@windlass/apimachinery/api/apps/v1';
import type { KindClient } from '@windlass/runtime';
import { annotationsOf } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import { REVISION } from './annotations.ts';
import { newCondition, withCondition } from './conditions.ts';

export interface DeploymentWriterOptions {
  /** A copy that is the writer's own. */
  readonly deployment: Served<Deployment>;
  readonly deployments: KindClient<Deployment>;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** A deployment on its way through one run: what is written to it is what the rest of the run goes by. */
export class DeploymentWriter {
  readonly #options: DeploymentWriterOptions;
  #deployment: Served<Deployment>;

  constructor(options: DeploymentWriterOptions) {
    this.#options = options;
    this.#deployment = options.deployment;
  }

  get deployment(): Served<Deployment> {
    return this.#deployment;
  }

  /** For events, which must name the kind. */
  get subject(): Served<Deployment> {
    return withKind(this.#deployment, Deployment);
  }

  /** The annotation goes with the next write of the status, which takes metadata along. */
  setRevision(revision: string | undefined): boolean {
    const annotations = annotationsOf(this.#deployment);
    if (revision === undefined || annotations[REVISION] === revision) return false;
    // A copy: what a write has answered may be the server's own, in one process with it.
    const { metadata } = this.#deployment;
    const next = { ...metadata, annotations: { ...annotations, [REVISION]: revision } };
    this.#deployment = { ...this.#deployment, metadata: next };
    return true;
  }

  writeProgress(state: 'True' | 'False' | 'Unknown', reason: string, message: string): Promise<void> {
    const { status } = this.#deployment;
    const condition = newCondition('Progressing', state, reason, message, this.#options.now());
    return this.writeStatus({
      ...status,
      conditions: [...withCondition(status?.conditions ?? [], condition)],
    });
  }

  /** Returns whether there was anything to write. */
  async writeIfChanged(status: DeploymentStatus): Promise<boolean> {
    if (isSame(this.#deployment.status, status)) return false;
    await this.writeStatus(status);
    return true;
  }

  async writeStatus(status: DeploymentStatus | undefined): Promise<void> {
    const { deployments, signal } = this.#options;
    this.#deployment = await deployments.status.update(
      { ...this.#deployment, ...(status !== undefined && { status }) },
      { signal },
    );
  }
}

/** An absent count is zero: servers leave it out. */
function isSame(old: DeploymentStatus | undefined, next: DeploymentStatus): boolean {
  const { conditions: before = [], ...oldCounts } = old ?? {};
  const { conditions: after = [], ...counts } = next;
  const isSameCount = (field: keyof typeof counts): boolean =>
    (oldCounts[field] ?? 0) === (counts[field] ?? 0);
  // The status was made in this process, so it has no other fields than its type says.
  const fields = Object.keys(counts) as (keyof typeof counts)[];
  return fields.every(isSameCount) && deepEqual(before, after);
}
