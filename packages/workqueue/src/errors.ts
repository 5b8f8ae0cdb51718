import { describe, WindlassError } from '@windlass/base';

/** `done` was called with what nobody holds: it did not come from this queue, or it is done already. */
export class NotProcessingError extends WindlassError {
  constructor(item: unknown) {
    const isItem = typeof item === 'object' && item !== null && 'key' in item;
    const what = isItem ? `the item of key ${describe(item.key)}` : describe(item);
    super(`done was called with ${what}, which is not held; call it once with each item that get returned`, {
      code: 'NOT_PROCESSING',
      kind: 'bug',
    });
  }
}
