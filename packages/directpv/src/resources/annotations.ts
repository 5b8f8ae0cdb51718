import { GROUP } from './constants.ts';

/** The annotations that Windlass adds to DirectPV's objects. */
export const ANNOTATIONS = {
  /** On a drive: what it holds for volumes that are under way; see `readReservations`. */
  reservations: `${GROUP}/reservations`,
  /** On a drive: how its capacities are counted. */
  accounting: `${GROUP}/accounting`,
  /** On a drive: the device that it was last seen on; see `recordedDevice`. */
  device: `${GROUP}/device`,
  /** On a drive: how many bytes its node has measured that volumes may have. Whatever the status says besides. */
  measuredCapacity: `${GROUP}/measured-capacity`,
  /** On a volume or snapshot: the name that it was asked for by, where its id is another. */
  requestedName: `${GROUP}/requested-name`,
  /** On a volume: what it is made of, `snapshot:<id>` or `volume:<id>`. Its node copies that before anybody uses it. */
  contentSource: `${GROUP}/content-source`,
  /** On a volume that is made of something: `copied` when its contents are there, else why they are not yet. */
  contentState: `${GROUP}/content-state`,
  /** On a volume or snapshot: when it was asked for, finer than its creationTimestamp. Lists go by it. */
  createdAt: `${GROUP}/created-at`,
  /** On a drive or volume: since when its node has been gone. */
  nodeLostSince: `${GROUP}/node-lost-since`,
} as const;

/** The value of `ANNOTATIONS.accounting`: total = free + allocated = the bytes that volumes may have. */
export const USABLE_BYTES = 'usable-bytes';
