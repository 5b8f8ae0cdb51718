import { WindlassError } from '@windlass/base';

/** A drive has fewer free bytes than are wanted of it. */
export class InsufficientCapacityError extends WindlassError {
  readonly free: number;

  constructor(drive: string, wanted: number, free: number) {
    super(
      `drive ${drive} has ${free} bytes free, but ${wanted} are wanted; free some or take another drive`,
      {
        code: 'INSUFFICIENT_CAPACITY',
      },
    );
    this.free = free;
  }
}

/** A drive does not hold the volume that something is to be done with. */
export class VolumeNotHeldError extends WindlassError {
  constructor(drive: string, volume: string) {
    super(`drive ${drive} does not hold volume ${volume}`, { code: 'VOLUME_NOT_HELD' });
  }
}
