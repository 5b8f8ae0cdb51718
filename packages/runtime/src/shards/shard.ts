import { type DeepReadonly, type KubeObject, ShardSelector } from '@windlass/apimachinery';
import { InvalidArgumentError } from '@windlass/base';

/** On every object that is owned by one of a shard: `3-of-12`. */
export const SHARD_LABEL = 'windlass.dev/shard';

/** A part of the objects, by their uids. */
export class Shard {
  /** From 0 on. */
  readonly index: number;
  readonly count: number;
  /** What is asked of the server. */
  readonly selector: ShardSelector;

  constructor(index: number, count: number) {
    this.index = index;
    this.count = count;
    this.selector = ShardSelector.part('object.metadata.uid', index, count);
  }

  /** `3-of-12`: the value of the label, and part of the lease's name. */
  get name(): string {
    return `${this.index}-of-${this.count}`;
  }

  /** Whether what belongs to the object belongs to this shard. */
  has(object: DeepReadonly<KubeObject>): boolean {
    return this.selector.matches(object);
  }

  /**
   * With the label that its caches select by.
   * @throws when nobody knows whose it is
   */
  labelled<T extends KubeObject>(object: T): T {
    const { metadata = {} } = object;
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined || !this.selector.includes(owner.uid))
      throw new InvalidArgumentError(
        `ownerReferences of ${metadata.namespace ?? ''}/${metadata.name ?? metadata.generateName ?? ''}`,
        metadata.ownerReferences,
        `one of a controller in shard ${this.name}, because the kind is among those that sharded objects own`,
      );
    return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, [SHARD_LABEL]: this.name } } };
  }
}
