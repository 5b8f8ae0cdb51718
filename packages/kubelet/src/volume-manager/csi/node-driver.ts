/** What is asked of a volume: how it is to be mounted, and by whom it may be used. */
export interface DriverCapability {
  readonly mount: {
    readonly fsType: string;
    readonly mountFlags: readonly string[];
    readonly volumeMountGroup: string;
  };
  readonly accessMode: { readonly mode: DriverAccessMode };
}

/** Who may use a volume at the same time, in the words of CSI. */
export type DriverAccessMode =
  | 'SINGLE_NODE_WRITER'
  | 'SINGLE_NODE_READER_ONLY'
  | 'MULTI_NODE_READER_ONLY'
  | 'MULTI_NODE_MULTI_WRITER'
  | 'SINGLE_NODE_SINGLE_WRITER'
  | 'SINGLE_NODE_MULTI_WRITER';

type Texts = Readonly<Record<string, string>>;

/** Prepares a volume on its node, before any pod uses it. */
export interface StageRequest {
  readonly volumeId: string;
  readonly publishContext: Texts;
  readonly stagingTargetPath: string;
  readonly volumeCapability: DriverCapability;
  readonly secrets: Texts;
  readonly volumeContext: Texts;
}

/** Mounts a staged volume for a pod. */
export interface PublishRequest extends StageRequest {
  readonly targetPath: string;
  readonly readonly: boolean;
}

/** Lets the file system of a volume grow to its new size. */
export interface ExpandRequest {
  readonly volumeId: string;
  readonly volumePath: string;
  readonly stagingTargetPath: string;
  readonly capacityRange: { readonly requiredBytes: number; readonly limitBytes: number };
  readonly volumeCapability: DriverCapability;
  readonly secrets: Texts;
}

/** How much of a volume is used. */
export interface VolumeStats {
  readonly usage: readonly {
    readonly unit: string;
    readonly available: number;
    readonly total: number;
    readonly used: number;
  }[];
  readonly volumeCondition?: { readonly abnormal: boolean; readonly message: string } | undefined;
}

/** What a driver says about its node. */
export interface DriverNodeInfo {
  readonly nodeId: string;
  readonly maxVolumesPerNode: number;
  readonly accessibleTopology?: { readonly segments: Texts } | undefined;
}

interface Call {
  readonly signal: AbortSignal;
}

/**
 * What a node asks of a CSI driver; `CsiClient` of `@windlass/csi` offers it over the driver's socket. Every
 * method may be called again with the same request, after any outcome.
 */
export interface NodeDriver {
  nodeStageVolume(request: StageRequest, call: Call): Promise<unknown>;
  nodeUnstageVolume(
    request: { readonly volumeId: string; readonly stagingTargetPath: string },
    call: Call,
  ): Promise<unknown>;
  nodePublishVolume(request: PublishRequest, call: Call): Promise<unknown>;
  nodeUnpublishVolume(
    request: { readonly volumeId: string; readonly targetPath: string },
    call: Call,
  ): Promise<unknown>;
  nodeExpandVolume(request: ExpandRequest, call: Call): Promise<{ readonly capacityBytes: number }>;
  nodeGetVolumeStats(
    request: { readonly volumeId: string; readonly volumePath: string; readonly stagingTargetPath: string },
    call: Call,
  ): Promise<VolumeStats>;
  nodeGetCapabilities(
    request: object,
    call: Call,
  ): Promise<{ readonly capabilities: readonly { readonly rpc?: { readonly type: string } | undefined }[] }>;
  nodeGetInfo(request: object, call: Call): Promise<DriverNodeInfo>;
}
