import { type Cached, Quantity } from '@windlass/apimachinery';
import type { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { MessageInit } from '@windlass/grpc';
import type { CreateVolumeRequest, TopologyRequirement, VolumeContentSource } from '../generated/csi.ts';
import { claimCapabilities } from '../sidecar/capabilities.ts';
import type { DriverFacts } from '../sidecar/driver-facts.ts';
import { SidecarError } from '../sidecar/errors.ts';
import { type SecretReference, type SecretUse, secretReference } from '../sidecar/secrets.ts';
import { driverParameters, fsTypeOf } from './class-parameters.ts';

type Claim = Cached<PersistentVolumeClaim>;

export interface CreateInput {
  readonly claim: Claim;
  readonly storageClass: Cached<StorageClass>;
  readonly volumeName: string;
  readonly driver: DriverFacts;
  readonly defaultFsType: string;
  readonly extraCreateMetadata: boolean;
  readonly accessibility: MessageInit<TopologyRequirement> | undefined;
  /** What the volume is made of. @default it begins empty */
  readonly contentSource?: MessageInit<VolumeContentSource> | undefined;
}

/** All of a request but the secrets themselves. */
export interface CreatePlan {
  readonly request: Omit<MessageInit<CreateVolumeRequest>, 'secrets'>;
  readonly bytes: number;
  readonly fsType: string;
  readonly provisionerSecret: SecretReference | undefined;
  /** Of the volume, for those who work with it later. */
  readonly volumeSecrets: Readonly<Record<string, SecretReference>>;
}

/** Where a volume object names which secret. */
const VOLUME_SECRETS: readonly (readonly [field: string, use: SecretUse])[] = [
  ['controllerPublishSecretRef', 'controller-publish'],
  ['nodeStageSecretRef', 'node-stage'],
  ['nodePublishSecretRef', 'node-publish'],
  ['controllerExpandSecretRef', 'controller-expand'],
  ['nodeExpandSecretRef', 'node-expand'],
];

/** What to ask the driver for. @throws SidecarError for a claim or class that no request can be made of */
export function planCreate(input: CreateInput): CreatePlan {
  const { claim, storageClass, volumeName, driver } = input;
  const { parameters = {}, mountOptions = [] } = storageClass;
  refuseUnsupported(claim, driver);
  const fsType = fsTypeOf(parameters, input.defaultFsType);
  const bytes = requestedBytes(claim);
  const { name, namespace } = claim.metadata;
  const metadata = {
    'csi.storage.k8s.io/pvc/name': name,
    'csi.storage.k8s.io/pvc/namespace': namespace,
    'csi.storage.k8s.io/pv/name': volumeName,
  };
  return {
    bytes,
    fsType,
    // What the owner of a claim writes must not choose the credentials that make its volume.
    provisionerSecret: secretReference('provisioner', parameters, volumeName, claim, false),
    // Resolved before anything is made, so that a class that cannot work leaves nothing behind.
    volumeSecrets: Object.fromEntries(
      VOLUME_SECRETS.flatMap(([field, use]) => {
        const reference = secretReference(use, parameters, volumeName, claim);
        return reference === undefined ? [] : [[field, reference] as const];
      }),
    ),
    request: {
      name: volumeName,
      capacityRange: { requiredBytes: bytes },
      parameters: { ...driverParameters(parameters), ...(input.extraCreateMetadata ? metadata : {}) },
      volumeCapabilities: claimCapabilities(claim, {
        fsType,
        mountOptions,
        tellsWritersApart: driver.controller.has('SINGLE_NODE_MULTI_WRITER'),
      }),
      accessibilityRequirements: input.accessibility,
      volumeContentSource: input.contentSource,
    },
  };
}

function refuseUnsupported(claim: Claim, driver: DriverFacts): void {
  if (!driver.controller.has('CREATE_DELETE_VOLUME'))
    throw new SidecarError(`driver ${driver.name} does not make volumes (CREATE_DELETE_VOLUME)`);
  if (claim.spec?.selector !== undefined)
    throw new SidecarError('a claim with a selector cannot be provisioned');
}

/** Rounded up to whole bytes. */
function requestedBytes(claim: Claim): number {
  const text = claim.spec?.resources?.requests?.['storage'];
  const bytes = text === undefined ? 0 : Quantity.from(text).value();
  if (bytes > 0 && Number.isSafeInteger(bytes)) return bytes;
  throw new SidecarError(`the claim asks for ${text ?? 'no storage'}; it must ask for 1 to 2^53 - 1 bytes`);
}
