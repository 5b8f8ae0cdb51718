import { validateLabelValue, validateQualifiedName } from '@windlass/apimachinery';
import { GROUP, VERSION } from './constants.ts';
import { InvalidLabelError } from './errors.ts';
import { shortened } from './shortened.ts';

const PREFIX = `${GROUP}/`;

/** Labels, parameters of storage classes and topology keys: all have the group's prefix. */
export const LABELS = {
  node: `${PREFIX}node`,
  driveName: `${PREFIX}drive-name`,
  accessTier: `${PREFIX}access-tier`,
  drive: `${PREFIX}drive`,
  version: `${PREFIX}version`,
  createdBy: `${PREFIX}created-by`,
  podName: `${PREFIX}pod.name`,
  podNamespace: `${PREFIX}pod.namespace`,
  latestVersion: `${PREFIX}${VERSION}`,
  identity: `${PREFIX}identity`,
  rack: `${PREFIX}rack`,
  zone: `${PREFIX}zone`,
  region: `${PREFIX}region`,
  migrated: `${PREFIX}migrated`,
  requestId: `${PREFIX}request-id`,
  suspend: `${PREFIX}suspend`,
  /** A parameter of storage classes. On drives each id is a label of its own: `volumeClaimIdLabel`. */
  volumeClaimId: `${PREFIX}volume-claim-id`,
  claimId: `${PREFIX}claim-id`,
  imageTag: `${PREFIX}image-tag`,
} as const;

/** The value of `LABELS.suspend`. */
export const SUSPENDED = 'true';

/** The five segments of a node's topology, in the order in which they are told. */
export const TOPOLOGY_KEYS = [LABELS.identity, LABELS.rack, LABELS.zone, LABELS.region, LABELS.node] as const;

const VOLUME_CLAIM_ID_PREFIX = `${LABELS.volumeClaimId}-`;
const RESERVED: ReadonlySet<string> = new Set(Object.values(LABELS));

/** On a drive: it has a volume of that claim, and takes no second one. */
export function volumeClaimIdLabel(claimId: string): string {
  return `${VOLUME_CLAIM_ID_PREFIX}${claimId}`;
}

const CLAIM_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the value may be a volume claim id. */
export function isVolumeClaimId(value: string): boolean {
  return CLAIM_ID.test(value);
}

/** Keys that have a meaning to us: nobody else may set or remove them, neither by hand nor through a pod's labels. */
export function isReservedLabel(key: string): boolean {
  return RESERVED.has(key) || key.startsWith(VOLUME_CLAIM_ID_PREFIX);
}

/** A key that somebody typed: without a prefix it gets ours. */
export function toLabelKey(text: string): string {
  const key = text.includes('/') ? text : `${PREFIX}${text}`;
  const problems = validateQualifiedName(key);
  if (problems.length > 0)
    throw new InvalidLabelError(`label key ${JSON.stringify(text)} is invalid: ${problems.join('; ')}`);
  return key;
}

/** A key that somebody may change. @throws InvalidLabelError that says why not */
export function toUserLabelKey(text: string): string {
  const key = toLabelKey(text);
  if (isReservedLabel(key))
    throw new InvalidLabelError(`label key ${JSON.stringify(key)} is reserved; choose another key`);
  return key;
}

const MAX_LENGTH = 63;

/**
 * Any text as a label's value, itself where it is one. What may not stand there becomes `-`, at both ends `x`;
 * what is too long is cut. Two texts may become the same value: for names that must differ there is
 * `nodeLabelValue`.
 */
export function toLabelValue(text: string): string {
  if (validateLabelValue(text).length === 0) return text;
  const characters = Array.from(text).slice(0, MAX_LENGTH);
  return characters
    .map((character, at) => {
      const isEnd = at === 0 || at === characters.length - 1;
      if (/^[A-Za-z0-9]$/.test(character)) return character;
      if (isEnd) return 'x';
      return /^[-._]$/.test(character) ? character : '-';
    })
    .join('');
}

/**
 * A node's name as a label's value: itself, unless it is longer than a value may be (a node's name may have 253
 * characters). Then it is cut and carries a hash, so that two nodes never share a value. Also the value of the
 * topology key `node`, since that becomes a label of the Node.
 */
export function nodeLabelValue(nodeName: string): string {
  return validateLabelValue(nodeName).length === 0 ? nodeName : shortened(nodeName);
}

/** How often the data of a drive is used, as people label it. */
export const ACCESS_TIERS = ['Default', 'Warm', 'Hot', 'Cold'] as const;
/** The access tier of a drive. */
export type AccessTier = (typeof ACCESS_TIERS)[number];

/** In any case: `hot`, `HOT`. Undefined for what is no tier. */
export function parseAccessTier(text: string): AccessTier | undefined {
  return ACCESS_TIERS.find((tier) => tier.toLowerCase() === text.toLowerCase());
}
