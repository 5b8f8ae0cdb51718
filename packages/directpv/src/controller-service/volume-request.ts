import {
  type CapacityRange,
  type CreateVolumeRequest,
  GrpcError,
  type TopologyRequirement,
  type VolumeCapability,
  type VolumeContentSource,
} from '@windlass/csi';
import type { DriveCriteria, TopologySegments } from '../accounting/index.ts';
import {
  ACCESS_TIERS,
  type ContentSource,
  GROUP,
  isVolumeClaimId,
  LABELS,
  parseAccessTier,
  volumeIdOf,
} from '../resources/index.ts';

/** What a request for a volume comes to. */
export interface WantedVolume {
  readonly id: string;
  /** As the caller calls it. */
  readonly name: string;
  readonly size: SizeRange;
  readonly criteria: DriveCriteria;
  readonly places: Places;
  /** Given back to the caller, and by it to the node. */
  readonly context: Readonly<Record<string, string>>;
  /** What it is a copy of. @default it begins empty */
  readonly source?: ContentSource;
}

export interface SizeRange {
  /** 0: whatever there is. */
  readonly required: number;
  /** 0: no limit. */
  readonly limit: number;
}

export interface Places {
  readonly preferred: readonly TopologySegments[];
  readonly requisite: readonly TopologySegments[];
}

/** @throws GrpcError INVALID_ARGUMENT or OUT_OF_RANGE that says what is wrong */
export function parseCreateVolume(request: CreateVolumeRequest): WantedVolume {
  const { name, volumeCapabilities, parameters } = request;
  if (name === '') throw invalid('a volume needs a name; the request has none');
  if (volumeCapabilities.length === 0)
    throw invalid('the request says nothing of how the volume is to be used (volume_capabilities)');
  const problem = capabilityProblem(volumeCapabilities);
  if (problem !== undefined) throw invalid(problem);
  const source = parseContentSource(request.volumeContentSource);
  return {
    id: volumeIdOf(name),
    name,
    size: parseRange(request.capacityRange),
    criteria: parseParameters(parameters),
    places: parsePlaces(request.accessibilityRequirements),
    context: parameters,
    ...(source !== undefined && { source }),
  };
}

/** @throws GrpcError INVALID_ARGUMENT */
function parseContentSource(source: VolumeContentSource | undefined): ContentSource | undefined {
  if (source === undefined) return undefined;
  const { snapshot, volume } = source;
  if (snapshot !== undefined && snapshot.snapshotId !== '')
    return { kind: 'snapshot', id: snapshot.snapshotId };
  if (volume !== undefined && volume.volumeId !== '') return { kind: 'volume', id: volume.volumeId };
  throw invalid('volume_content_source names neither a snapshot nor a volume');
}

const MODES: ReadonlySet<string> = new Set([
  'SINGLE_NODE_WRITER',
  'SINGLE_NODE_READER_ONLY',
  'SINGLE_NODE_SINGLE_WRITER',
  'SINGLE_NODE_MULTI_WRITER',
]);

/** Why volumes of ours cannot be used so; undefined when they can. */
export function capabilityProblem(capabilities: readonly VolumeCapability[]): string | undefined {
  for (const { block, mount, accessMode } of capabilities) {
    const mode = accessMode?.mode ?? 'UNKNOWN';
    if (!MODES.has(mode))
      return `unsupported access mode ${mode}: a volume lies on a drive of one node; use SINGLE_NODE_WRITER`;
    if (block !== undefined) return 'raw block volumes are not supported; use a file system (mount)';
    if (mount === undefined) return 'a volume capability names no access type; use mount';
    if (mount.fsType !== '' && mount.fsType !== 'xfs')
      return `unsupported file system ${JSON.stringify(mount.fsType)}; volumes are on xfs`;
  }
  return undefined;
}

/** @throws GrpcError */
export function parseRange(range: CapacityRange | undefined): SizeRange {
  const { requiredBytes: required = 0, limitBytes: limit = 0 } = range ?? {};
  if (required < 0 || limit < 0)
    throw invalid(`sizes are at least 0, but required_bytes is ${required} and limit_bytes is ${limit}`);
  if (limit > 0 && limit < required)
    throw new GrpcError('OUT_OF_RANGE', `limit_bytes ${limit} is less than required_bytes ${required}`);
  return { required, limit };
}

export function isWithin({ required, limit }: SizeRange, bytes: number): boolean {
  return bytes >= required && (limit === 0 || bytes <= limit);
}

/** Parameters with our prefix are wishes; all others are other people's business. @throws GrpcError */
export function parseParameters(parameters: Readonly<Record<string, string>>): DriveCriteria {
  const labels: Record<string, string> = {};
  let claimId: string | undefined;
  for (const [key, value] of Object.entries(parameters)) {
    if (key === LABELS.accessTier) {
      const tier = parseAccessTier(value);
      if (tier === undefined)
        throw invalid(
          `parameter ${key} is ${JSON.stringify(value)}, which is none of ${ACCESS_TIERS.join(', ')}`,
        );
      labels[key] = tier;
    } else if (key === LABELS.volumeClaimId) {
      if (!isVolumeClaimId(value))
        throw invalid(`parameter ${key} is ${JSON.stringify(value)}, which is no UUID`);
      claimId = value;
    } else if (key.startsWith(`${GROUP}/`)) {
      labels[key] = value;
    }
  }
  return { labels, ...(claimId !== undefined && { claimId }) };
}

function parsePlaces(requirement: TopologyRequirement | undefined): Places {
  const segments = ({ segments }: { readonly segments: TopologySegments }): TopologySegments => segments;
  return {
    preferred: requirement?.preferred.map(segments) ?? [],
    requisite: requirement?.requisite.map(segments) ?? [],
  };
}

function invalid(message: string): GrpcError {
  return new GrpcError('INVALID_ARGUMENT', message);
}
