// Generated from k8s.io/cri-api v0.36.3 by `npm run generate`. Do not edit.
// The descriptions, here shortened, are of its authors, Apache License 2.0.

/** The enum `CgroupDriver` of `runtime.v1`. */
export type CgroupDriver =
  | 'SYSTEMD'
  | 'CGROUPFS';

/** The enum `ContainerState` of `runtime.v1`. */
export type ContainerState =
  | 'CONTAINER_CREATED'
  | 'CONTAINER_RUNNING'
  | 'CONTAINER_EXITED'
  | 'CONTAINER_UNKNOWN';

/** The enum `MetricType` of `runtime.v1`. */
export type MetricType =
  | 'COUNTER'
  | 'GAUGE';

/** The enum `MountPropagation` of `runtime.v1`. */
export type MountPropagation =
  | 'PROPAGATION_PRIVATE'
  | 'PROPAGATION_HOST_TO_CONTAINER'
  | 'PROPAGATION_BIDIRECTIONAL';

/**
 * A NamespaceMode describes the intended namespace configuration for each of the namespaces (Network, PID,
 * IPC) in NamespaceOption. Runtimes should map these modes as appropriate for the technology underlying the
 * runtime.
 */
export type NamespaceMode =
  | 'POD'
  | 'CONTAINER'
  | 'NODE'
  | 'TARGET';

/** The enum `PodSandboxState` of `runtime.v1`. */
export type PodSandboxState =
  | 'SANDBOX_READY'
  | 'SANDBOX_NOTREADY';

/** The enum `Protocol` of `runtime.v1`. */
export type Protocol =
  | 'TCP'
  | 'UDP'
  | 'SCTP';

/** Available profile types. */
export type SecurityProfileProfileType =
  | 'RuntimeDefault'
  | 'Unconfined'
  | 'Localhost';

/** The enum `Signal` of `runtime.v1`. */
export type Signal =
  | 'RUNTIME_DEFAULT'
  | 'SIGABRT'
  | 'SIGALRM'
  | 'SIGBUS'
  | 'SIGCHLD'
  | 'SIGCLD'
  | 'SIGCONT'
  | 'SIGFPE'
  | 'SIGHUP'
  | 'SIGILL'
  | 'SIGINT'
  | 'SIGIO'
  | 'SIGIOT'
  | 'SIGKILL'
  | 'SIGPIPE'
  | 'SIGPOLL'
  | 'SIGPROF'
  | 'SIGPWR'
  | 'SIGQUIT'
  | 'SIGSEGV'
  | 'SIGSTKFLT'
  | 'SIGSTOP'
  | 'SIGSYS'
  | 'SIGTERM'
  | 'SIGTRAP'
  | 'SIGTSTP'
  | 'SIGTTIN'
  | 'SIGTTOU'
  | 'SIGURG'
  | 'SIGUSR1'
  | 'SIGUSR2'
  | 'SIGVTALRM'
  | 'SIGWINCH'
  | 'SIGXCPU'
  | 'SIGXFSZ'
  | 'SIGRTMIN'
  | 'SIGRTMINPLUS1'
  | 'SIGRTMINPLUS2'
  | 'SIGRTMINPLUS3'
  | 'SIGRTMINPLUS4'
  | 'SIGRTMINPLUS5'
  | 'SIGRTMINPLUS6'
  | 'SIGRTMINPLUS7'
  | 'SIGRTMINPLUS8'
  | 'SIGRTMINPLUS9'
  | 'SIGRTMINPLUS10'
  | 'SIGRTMINPLUS11'
  | 'SIGRTMINPLUS12'
  | 'SIGRTMINPLUS13'
  | 'SIGRTMINPLUS14'
  | 'SIGRTMINPLUS15'
  | 'SIGRTMAXMINUS14'
  | 'SIGRTMAXMINUS13'
  | 'SIGRTMAXMINUS12'
  | 'SIGRTMAXMINUS11'
  | 'SIGRTMAXMINUS10'
  | 'SIGRTMAXMINUS9'
  | 'SIGRTMAXMINUS8'
  | 'SIGRTMAXMINUS7'
  | 'SIGRTMAXMINUS6'
  | 'SIGRTMAXMINUS5'
  | 'SIGRTMAXMINUS4'
  | 'SIGRTMAXMINUS3'
  | 'SIGRTMAXMINUS2'
  | 'SIGRTMAXMINUS1'
  | 'SIGRTMAX';

/**
 * SupplementalGroupsPolicy defines how supplemental groups of the first container processes are calculated.
 */
export type SupplementalGroupsPolicy =
  | 'Merge'
  | 'Strict';

/** What `RuntimeService.Attach` is asked. */
export interface AttachRequest {
  /** ID of the container to which to attach. */
  readonly containerId: string;
  /** Whether to stream stdin. One of `stdin`, `stdout`, and `stderr` MUST be true. */
  readonly stdin: boolean;
  /**
   * Whether the process being attached is running in a TTY. This must match the TTY setting in the
   * ContainerConfig.
   */
  readonly tty: boolean;
  /** Whether to stream stdout. One of `stdin`, `stdout`, and `stderr` MUST be true. */
  readonly stdout: boolean;
  /**
   * Whether to stream stderr. One of `stdin`, `stdout`, and `stderr` MUST be true. If `tty` is true, `stderr`
   * MUST be false. Multiplexing is not supported in this case. The output of stdout and stderr will be
   * combined to a single stream.
   */
  readonly stderr: boolean;
}

/** What `RuntimeService.Attach` answers. */
export interface AttachResponse {
  /** Fully qualified URL of the attach streaming server. */
  readonly url: string;
}

/** AuthConfig contains authorization information for connecting to a registry. */
export interface AuthConfig {
  readonly username: string;
  readonly password: string;
  readonly auth: string;
  readonly serverAddress: string;
  /** IdentityToken is used to authenticate the user and get an access token for the registry. */
  readonly identityToken: string;
  /** RegistryToken is a bearer token to be sent to a registry */
  readonly registryToken: string;
}

/** CDIDevice specifies a CDI device information. */
export interface CDIDevice {
  /**
   * Fully qualified CDI device name for example: vendor.com/gpu=gpudevice1 see more details in the CDI
   * specification:
   * https://github.com/container-orchestrated-devices/container-device-interface/blob/main/SPEC.md
   */
  readonly name: string;
}

/**
 * Capability contains the container capabilities to add or drop Dropping a capability will drop it from all
 * sets. If a capability is added to only the add_capabilities list then it gets added to permitted,
 * inheritable, effective and bounding sets, i.e. all sets except the ambient set. If a capability is added to
 * only the add_ambient_capabilities list then it gets added to all sets, i.e permitted inheritable,
 * effective, bounding and ambient sets. …
 */
export interface Capability {
  /** List of capabilities to add. */
  readonly addCapabilities: readonly string[];
  /** List of capabilities to drop. */
  readonly dropCapabilities: readonly string[];
  /** List of ambient capabilities to add. */
  readonly addAmbientCapabilities: readonly string[];
}

/** What `RuntimeService.CheckpointContainer` is asked. */
export interface CheckpointContainerRequest {
  /** ID of the container to be checkpointed. */
  readonly containerId: string;
  /** Location of the checkpoint archive used for export */
  readonly location: string;
  /**
   * Timeout in seconds for the checkpoint to complete. Timeout of zero means to use the CRI default. Timeout \>
   * 0 means to use the user specified timeout.
   */
  readonly timeout: number;
}

/** What `RuntimeService.CheckpointContainer` answers. */
export type CheckpointContainerResponse = Readonly<Record<never, never>>;

/** Container provides the runtime information for a container, such as ID, hash, state of the container. */
export interface Container {
  /** ID of the container, used by the container runtime to identify a container. */
  readonly id: string;
  /** ID of the sandbox to which this container belongs. */
  readonly podSandboxId: string;
  /** Metadata of the container. */
  readonly metadata?: ContainerMetadata | undefined;
  /** Spec of the image. */
  readonly image?: ImageSpec | undefined;
  /** Digested reference to the image in use. */
  readonly imageRef: string;
  /** State of the container. */
  readonly state: ContainerState;
  /** Creation time of the container in nanoseconds. */
  readonly createdAt: number;
  /** Key-value pairs that may be used to scope and select individual resources. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Unstructured key-value map holding arbitrary metadata. Annotations MUST NOT be altered by the runtime;
   * the value of this field MUST be identical to that of the corresponding ContainerConfig used to
   * instantiate this Container.
   */
  readonly annotations: Readonly<Record<string, string>>;
  /**
   * Reference to the unique identifier of the image on the node, as returned in the image and runtime service
   * apis.
   *
   * This value MUST always match `PullImageResponse.image_ref` when referring to the same image.
   */
  readonly imageId: string;
}

/** ContainerAttributes provides basic information of the container. */
export interface ContainerAttributes {
  /** ID of the container. */
  readonly id: string;
  /** Metadata of the container. */
  readonly metadata?: ContainerMetadata | undefined;
  /** Key-value pairs that may be used to scope and select individual resources. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Unstructured key-value map holding arbitrary metadata. Annotations MUST NOT be altered by the runtime;
   * the value of this field MUST be identical to that of the corresponding ContainerConfig used to
   * instantiate the Container this status represents.
   */
  readonly annotations: Readonly<Record<string, string>>;
}

/** ContainerConfig holds all the required and optional fields for creating a container. */
export interface ContainerConfig {
  /**
   * Metadata of the container. This information will uniquely identify the container, and the runtime should
   * leverage this to ensure correct operation. The runtime may also use this information to improve UX, such
   * as by constructing a readable name.
   */
  readonly metadata?: ContainerMetadata | undefined;
  /** Image to use. */
  readonly image?: ImageSpec | undefined;
  /** Command to execute (i.e., entrypoint for docker) */
  readonly command: readonly string[];
  /** Args for the Command (i.e., command for docker) */
  readonly args: readonly string[];
  /** Current working directory of the command. */
  readonly workingDir: string;
  /** List of environment variable to set in the container. */
  readonly envs: readonly KeyValue[];
  /** Mounts for the container. */
  readonly mounts: readonly Mount[];
  /** Devices for the container. */
  readonly devices: readonly Device[];
  /**
   * Key-value pairs that may be used to scope and select individual resources. Label keys are of the form:
   * label-key ::= prefixed-name | name prefixed-name ::= prefix '/' name prefix ::= DNS_SUBDOMAIN name ::=
   * DNS_LABEL
   */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Unstructured key-value map that may be used by the kubelet to store and retrieve arbitrary metadata.
   *
   * Annotations MUST NOT be altered by the runtime; the annotations stored here MUST be returned in the
   * ContainerStatus associated with the container this ContainerConfig creates.
   *
   * In general, in order to preserve a well-defined interface between the kubelet and the container runtime,
   * annotations SHOULD NOT influence runtime behaviour.
   */
  readonly annotations: Readonly<Record<string, string>>;
  /**
   * Path relative to PodSandboxConfig.LogDirectory for container to store the log (STDOUT and STDERR) on the
   * host. E.g., PodSandboxConfig.LogDirectory = `/var/log/pods/<NAMESPACE>_<NAME>_<UID>/`
   * ContainerConfig.LogPath = `containerName/Instance#.log`
   */
  readonly logPath: string;
  /** Variables for interactive containers, these have very specialized use-cases (e.g. debugging). */
  readonly stdin: boolean;
  readonly stdinOnce: boolean;
  readonly tty: boolean;
  /** Configuration specific to Linux containers. */
  readonly linux?: LinuxContainerConfig | undefined;
  /** Configuration specific to Windows containers. */
  readonly windows?: WindowsContainerConfig | undefined;
  /** CDI devices for the container. */
  readonly CDIDevices: readonly CDIDevice[];
  /** The custom stop signal for the container */
  readonly stopSignal: Signal;
}

/** ContainerFilter is used to filter containers. All those fields are combined with 'AND' */
export interface ContainerFilter {
  /** ID of the container. */
  readonly id: string;
  /** State of the container. */
  readonly state?: ContainerStateValue | undefined;
  /** ID of the PodSandbox. */
  readonly podSandboxId: string;
  /**
   * LabelSelector to select matches. Only api.MatchLabels is supported for now and the requirements are
   * ANDed. MatchExpressions is not supported yet.
   */
  readonly labelSelector: Readonly<Record<string, string>>;
}

/**
 * ContainerMetadata holds all necessary information for building the container name. The container runtime is
 * encouraged to expose the metadata in its user interface for better user experience. E.g., runtime can
 * construct a unique container name based on the metadata. Note that (name, attempt) is unique within a
 * sandbox for the entire lifetime of the sandbox.
 */
export interface ContainerMetadata {
  /** Name of the container. Same as the container name in the PodSpec. */
  readonly name: string;
  /** Attempt number of creating the container. Default: 0. */
  readonly attempt: number;
}

/** The message `ContainerMetrics` of `runtime.v1`. */
export interface ContainerMetrics {
  readonly containerId: string;
  readonly metrics: readonly Metric[];
}

/** ContainerResources holds resource limits configuration for a container. */
export interface ContainerResources {
  /** Resource limits configuration specific to Linux container. */
  readonly linux?: LinuxContainerResources | undefined;
  /** Resource limits configuration specific to Windows container. */
  readonly windows?: WindowsContainerResources | undefined;
}

/** ContainerStateValue is the wrapper of ContainerState. */
export interface ContainerStateValue {
  /** State of the container. */
  readonly state: ContainerState;
}

/** ContainerStats provides the resource usage statistics for a container. */
export interface ContainerStats {
  /** Information of the container. */
  readonly attributes?: ContainerAttributes | undefined;
  /** CPU usage gathered from the container. */
  readonly cpu?: CpuUsage | undefined;
  /** Memory usage gathered from the container. */
  readonly memory?: MemoryUsage | undefined;
  /** Usage of the writable layer. */
  readonly writableLayer?: FilesystemUsage | undefined;
  /** Swap usage gathered from the container. */
  readonly swap?: SwapUsage | undefined;
  /** IO usage gathered from the container. */
  readonly io?: IoUsage | undefined;
}

/** ContainerStatsFilter is used to filter containers. All those fields are combined with 'AND' */
export interface ContainerStatsFilter {
  /** ID of the container. */
  readonly id: string;
  /** ID of the PodSandbox. */
  readonly podSandboxId: string;
  /**
   * LabelSelector to select matches. Only api.MatchLabels is supported for now and the requirements are
   * ANDed. MatchExpressions is not supported yet.
   */
  readonly labelSelector: Readonly<Record<string, string>>;
}

/** What `RuntimeService.ContainerStats` is asked. */
export interface ContainerStatsRequest {
  /** ID of the container for which to retrieve stats. */
  readonly containerId: string;
}

/** What `RuntimeService.ContainerStats` answers. */
export interface ContainerStatsResponse {
  /** Stats of the container. */
  readonly stats?: ContainerStats | undefined;
}

/** ContainerStatus represents the status of a container. */
export interface ContainerStatus {
  /** ID of the container. */
  readonly id: string;
  /** Metadata of the container. */
  readonly metadata?: ContainerMetadata | undefined;
  /** Status of the container. */
  readonly state: ContainerState;
  /** Creation time of the container in nanoseconds. */
  readonly createdAt: number;
  /** Start time of the container in nanoseconds. Default: 0 (not specified). */
  readonly startedAt: number;
  /** Finish time of the container in nanoseconds. Default: 0 (not specified). */
  readonly finishedAt: number;
  /** Exit code of the container. Only required when finished_at != 0. Default: 0. */
  readonly exitCode: number;
  /** Spec of the image. */
  readonly image?: ImageSpec | undefined;
  /** Digested reference to the image in use. */
  readonly imageRef: string;
  /**
   * Brief CamelCase string explaining why container is in its current state. Must be set to "OOMKilled" for
   * containers terminated by cgroup-based Out-of-Memory killer.
   */
  readonly reason: string;
  /** Human-readable message indicating details about why container is in its current state. */
  readonly message: string;
  /** Key-value pairs that may be used to scope and select individual resources. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Unstructured key-value map holding arbitrary metadata. Annotations MUST NOT be altered by the runtime;
   * the value of this field MUST be identical to that of the corresponding ContainerConfig used to
   * instantiate the Container this status represents.
   */
  readonly annotations: Readonly<Record<string, string>>;
  /** Mounts for the container. */
  readonly mounts: readonly Mount[];
  /** Log path of container. */
  readonly logPath: string;
  /** Resource limits configuration of the container. */
  readonly resources?: ContainerResources | undefined;
  /**
   * Reference to the unique identifier of the image on the node, as returned in the image and runtime service
   * apis.
   *
   * This value MUST always match `PullImageResponse.image_ref` when referring to the same image.
   */
  readonly imageId: string;
  /** User identities initially attached to the container */
  readonly user?: ContainerUser | undefined;
  /** Returns the stop signal used by the container runtime to terminate the container */
  readonly stopSignal: Signal;
}

/** What `RuntimeService.ContainerStatus` is asked. */
export interface ContainerStatusRequest {
  /** ID of the container for which to retrieve status. */
  readonly containerId: string;
  /** Verbose indicates whether to return extra information about the container. */
  readonly verbose: boolean;
}

/** What `RuntimeService.ContainerStatus` answers. */
export interface ContainerStatusResponse {
  /** Status of the container. */
  readonly status?: ContainerStatus | undefined;
  /**
   * Info is extra information of the Container. The key could be arbitrary string, and value should be in
   * json format. The information could include anything useful for debug, e.g. pid for linux container based
   * container runtime. It should only be returned non-empty when Verbose is true.
   */
  readonly info: Readonly<Record<string, string>>;
}

/** The message `ContainerUser` of `runtime.v1`. */
export interface ContainerUser {
  /**
   * User identities initially attached to first process in the Linux container. Note that the actual running
   * identity can be changed if the process has enough privilege to do so.
   */
  readonly linux?: LinuxContainerUser | undefined;
}

/** CpuUsage provides the CPU usage information. */
export interface CpuUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** Cumulative CPU usage (sum across all cores) since object creation. */
  readonly usageCoreNanoSeconds?: UInt64Value | undefined;
  /**
   * Total CPU usage (sum of all cores) averaged over the sample window. The "core" unit can be interpreted as
   * CPU core-nanoseconds per second.
   */
  readonly usageNanoCores?: UInt64Value | undefined;
  /** CPU PSI statistics. */
  readonly psi?: PsiStats | undefined;
}

/** What `RuntimeService.CreateContainer` is asked. */
export interface CreateContainerRequest {
  /** ID of the PodSandbox in which the container should be created. */
  readonly podSandboxId: string;
  /** Config of the container. */
  readonly config?: ContainerConfig | undefined;
  /**
   * Config of the PodSandbox. This is the same config that was passed to RunPodSandboxRequest to create the
   * PodSandbox. It is passed again here just for easy reference. The PodSandboxConfig is immutable and
   * remains the same throughout the lifetime of the pod.
   */
  readonly sandboxConfig?: PodSandboxConfig | undefined;
}

/** What `RuntimeService.CreateContainer` answers. */
export interface CreateContainerResponse {
  /** ID of the created container. */
  readonly containerId: string;
}

/** DNSConfig specifies the DNS servers and search domains of a sandbox. */
export interface DNSConfig {
  /** List of DNS servers of the cluster. */
  readonly servers: readonly string[];
  /** List of DNS search domains of the cluster. */
  readonly searches: readonly string[];
  /** List of DNS options. See https://linux.die.net/man/5/resolv.conf for all available options. */
  readonly options: readonly string[];
}

/** Device specifies a host device to mount into a container. */
export interface Device {
  /** Path of the device within the container. */
  readonly containerPath: string;
  /** Path of the device on the host. */
  readonly hostPath: string;
  /**
   * Cgroups permissions of the device, candidates are one or more of
   * * r - allows container to read from the specified device.
   * * w - allows container to write to the specified device.
   * * m - allows container to create device files that do not yet exist.
   */
  readonly permissions: string;
}

/** What `RuntimeService.Exec` is asked. */
export interface ExecRequest {
  /** ID of the container in which to execute the command. */
  readonly containerId: string;
  /** Command to execute. */
  readonly cmd: readonly string[];
  /** Whether to exec the command in a TTY. */
  readonly tty: boolean;
  /** Whether to stream stdin. One of `stdin`, `stdout`, and `stderr` MUST be true. */
  readonly stdin: boolean;
  /** Whether to stream stdout. One of `stdin`, `stdout`, and `stderr` MUST be true. */
  readonly stdout: boolean;
  /**
   * Whether to stream stderr. One of `stdin`, `stdout`, and `stderr` MUST be true. If `tty` is true, `stderr`
   * MUST be false. Multiplexing is not supported in this case. The output of stdout and stderr will be
   * combined to a single stream.
   */
  readonly stderr: boolean;
}

/** What `RuntimeService.Exec` answers. */
export interface ExecResponse {
  /** Fully qualified URL of the exec streaming server. */
  readonly url: string;
}

/** What `RuntimeService.ExecSync` is asked. */
export interface ExecSyncRequest {
  /** ID of the container. */
  readonly containerId: string;
  /** Command to execute. */
  readonly cmd: readonly string[];
  /** Timeout in seconds to stop the command. Default: 0 (run forever). */
  readonly timeout: number;
}

/** What `RuntimeService.ExecSync` answers. */
export interface ExecSyncResponse {
  /**
   * Captured command stdout output. The runtime should cap the output of this response to 16MB. If the stdout
   * of the command produces more than 16MB, the remaining output should be discarded, and the command should
   * proceed with no error. See CVE-2022-1708 and CVE-2022-31030 for more information.
   */
  readonly stdout: string;
  /**
   * Captured command stderr output. The runtime should cap the output of this response to 16MB. If the stderr
   * of the command produces more than 16MB, the remaining output should be discarded, and the command should
   * proceed with no error. See CVE-2022-1708 and CVE-2022-31030 for more information.
   */
  readonly stderr: string;
  /** Exit code the command finished with. Default: 0 (success). */
  readonly exitCode: number;
}

/** FilesystemIdentifier uniquely identify the filesystem. */
export interface FilesystemIdentifier {
  /** Mountpoint of a filesystem. */
  readonly mountpoint: string;
}

/** FilesystemUsage provides the filesystem usage information. */
export interface FilesystemUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** The unique identifier of the filesystem. */
  readonly fsId?: FilesystemIdentifier | undefined;
  /**
   * UsedBytes represents the bytes used for images on the filesystem. This may differ from the total bytes
   * used on the filesystem and may not equal CapacityBytes - AvailableBytes.
   */
  readonly usedBytes?: UInt64Value | undefined;
  /**
   * InodesUsed represents the inodes used by the images. This may not equal InodesCapacity - InodesAvailable
   * because the underlying filesystem may also be used for purposes other than storing images.
   */
  readonly inodesUsed?: UInt64Value | undefined;
}

/**
 * HugepageLimit corresponds to the file`hugetlb.<hugepagesize>.limit_in_byte` in container level cgroup. For
 * example, `PageSize=1GB`, `Limit=1073741824` means setting `1073741824` bytes to hugetlb.1GB.limit_in_bytes.
 */
export interface HugepageLimit {
  /**
   * The value of PageSize has the format \<size\>\<unit-prefix\>B (2MB, 1GB), and must match the
   * \<hugepagesize\> of the corresponding control file found in `hugetlb.<hugepagesize>.limit_in_bytes`. The
   * values of \<unit-prefix\> are intended to be parsed using base 1024("1KB" = 1024, "1MB" = 1048576, etc).
   */
  readonly pageSize: string;
  /** limit in bytes of hugepagesize HugeTLB usage. */
  readonly limit: number;
}

/** IDMapping describes host to container ID mappings for a pod sandbox. */
export interface IDMapping {
  /** HostId is the id on the host. */
  readonly hostId: number;
  /** ContainerId is the id in the container. */
  readonly containerId: number;
  /** Length is the size of the range to map. */
  readonly length: number;
}

/** Basic information about a container image. */
export interface Image {
  /**
   * Reference to the unique identifier of the image on the node, as returned in the image and runtime service
   * apis.
   *
   * This value MUST always match `PullImageResponse.image_ref` when referring to the same image.
   */
  readonly id: string;
  /** Other names by which this image is known. */
  readonly repoTags: readonly string[];
  /** Digests by which this image is known. */
  readonly repoDigests: readonly string[];
  /** Size of the image in bytes. Must be \> 0. */
  readonly size: number;
  /**
   * UID that will run the command(s). This is used as a default if no user is specified when creating the
   * container. UID and the following user name are mutually exclusive.
   */
  readonly uid?: Int64Value | undefined;
  /**
   * User name that will run the command(s). This is used if UID is not set and no user is specified when
   * creating container.
   */
  readonly username: string;
  /** ImageSpec for image which includes annotations */
  readonly spec?: ImageSpec | undefined;
  /**
   * Recommendation on whether this image should be exempt from garbage collection. It must only be treated as
   * a recommendation -- the client can still request that the image be deleted, and the runtime must oblige.
   */
  readonly pinned: boolean;
}

/** The message `ImageFilter` of `runtime.v1`. */
export interface ImageFilter {
  /** Spec of the image. */
  readonly image?: ImageSpec | undefined;
}

/** What `ImageService.ImageFsInfo` is asked. */
export type ImageFsInfoRequest = Readonly<Record<never, never>>;

/** What `ImageService.ImageFsInfo` answers. */
export interface ImageFsInfoResponse {
  /** Information of image filesystem(s). */
  readonly imageFilesystems: readonly FilesystemUsage[];
  /**
   * Information of container filesystem(s). This is an optional field, may be used for example if container
   * and image storage are separated. Default will be to return this as empty.
   */
  readonly containerFilesystems: readonly FilesystemUsage[];
}

/** ImageSpec is an internal representation of an image. */
export interface ImageSpec {
  /** Container's Image field (e.g. imageID or imageDigest). */
  readonly image: string;
  /**
   * Unstructured key-value map holding arbitrary metadata. ImageSpec Annotations can be used to help the
   * runtime target specific images in multi-arch images.
   */
  readonly annotations: Readonly<Record<string, string>>;
  /**
   * The container image reference specified by the user (e.g. image[:tag] or digest). Only set if available
   * within the RPC context.
   */
  readonly userSpecifiedImage: string;
  /**
   * Runtime handler to use for pulling the image. If the runtime handler is unknown, the request should be
   * rejected. An empty string would select the default runtime handler.
   */
  readonly runtimeHandler: string;
  /**
   * The digest of the image used for this volume. It should have a value that's similar to the pod's
   * status.containerStatuses[i].imageID.
   */
  readonly imageRef: string;
}

/** What `ImageService.ImageStatus` is asked. */
export interface ImageStatusRequest {
  /** Spec of the image. */
  readonly image?: ImageSpec | undefined;
  /** Verbose indicates whether to return extra information about the image. */
  readonly verbose: boolean;
}

/** What `ImageService.ImageStatus` answers. */
export interface ImageStatusResponse {
  /** Status of the image. */
  readonly image?: Image | undefined;
  /**
   * Info is extra information of the Image. The key could be arbitrary string, and value should be in json
   * format. The information could include anything useful for debug, e.g. image config for oci image based
   * container runtime. It should only be returned non-empty when Verbose is true.
   */
  readonly info: Readonly<Record<string, string>>;
}

/** Int64Value is the wrapper of int64. */
export interface Int64Value {
  /** The value. */
  readonly value: number;
}

/** The message `IoUsage` of `runtime.v1`. */
export interface IoUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** IO PSI statistics. */
  readonly psi?: PsiStats | undefined;
}

/** The message `KeyValue` of `runtime.v1`. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** LinuxContainerConfig contains platform-specific configuration for Linux-based containers. */
export interface LinuxContainerConfig {
  /** Resources specification for the container. */
  readonly resources?: LinuxContainerResources | undefined;
  /** LinuxContainerSecurityContext configuration for the container. */
  readonly securityContext?: LinuxContainerSecurityContext | undefined;
}

/** LinuxContainerResources specifies Linux specific configuration for resources. */
export interface LinuxContainerResources {
  /** CPU CFS (Completely Fair Scheduler) period. Default: 0 (not specified). */
  readonly cpuPeriod: number;
  /** CPU CFS (Completely Fair Scheduler) quota. Default: 0 (not specified). */
  readonly cpuQuota: number;
  /** CPU shares (relative weight vs. other containers). Default: 0 (not specified). */
  readonly cpuShares: number;
  /** Memory limit in bytes. Default: 0 (not specified). */
  readonly memoryLimitInBytes: number;
  /** OOMScoreAdj adjusts the oom-killer score. Default: 0 (not specified). */
  readonly oomScoreAdj: number;
  /** CpusetCpus constrains the allowed set of logical CPUs. Default: "" (not specified). */
  readonly cpusetCpus: string;
  /** CpusetMems constrains the allowed set of memory nodes. Default: "" (not specified). */
  readonly cpusetMems: string;
  /**
   * List of HugepageLimits to limit the HugeTLB usage of container per page size. Default: nil (not
   * specified).
   */
  readonly hugepageLimits: readonly HugepageLimit[];
  /**
   * Unified resources for cgroup v2. Default: nil (not specified). Each key/value in the map refers to the
   * cgroup v2. e.g. "memory.max": "6937202688" or "io.weight": "default 100".
   */
  readonly unified: Readonly<Record<string, string>>;
  /** Memory swap limit in bytes. Default 0 (not specified). */
  readonly memorySwapLimitInBytes: number;
}

/** LinuxContainerSecurityContext holds linux security configuration that will be applied to a container. */
export interface LinuxContainerSecurityContext {
  /** Capabilities to add or drop. */
  readonly capabilities?: Capability | undefined;
  /**
   * If set, run container in privileged mode. Privileged mode is incompatible with the following options. If
   * privileged is set, the following features MAY have no effect:
   * 1. capabilities
   * 2. selinux_options
   * 4. seccomp
   * 5. apparmor …
   */
  readonly privileged: boolean;
  /**
   * Configurations for the container's namespaces. Only used if the container uses namespace for isolation.
   */
  readonly namespaceOptions?: NamespaceOption | undefined;
  /** SELinux context to be optionally applied. */
  readonly selinuxOptions?: SELinuxOption | undefined;
  /**
   * UID to run the container process as. Only one of run_as_user and run_as_username can be specified at a
   * time.
   */
  readonly runAsUser?: Int64Value | undefined;
  /**
   * GID to run the container process as. run_as_group should only be specified when run_as_user or
   * run_as_username is specified; otherwise, the runtime MUST error.
   */
  readonly runAsGroup?: Int64Value | undefined;
  /**
   * User name to run the container process as. If specified, the user MUST exist in the container image (i.e.
   * in the /etc/passwd inside the image), and be resolved there by the runtime; otherwise, the runtime MUST
   * error.
   */
  readonly runAsUsername: string;
  /** If set, the root filesystem of the container is read-only. */
  readonly readonlyRootfs: boolean;
  /**
   * List of groups applied to the first process run in each container. supplemental_groups_policy can control
   * how groups will be calculated.
   */
  readonly supplementalGroups: readonly number[];
  /**
   * supplemental_groups_policy defines how supplemental groups of the first container processes are
   * calculated. Valid values are "Merge" and "Strict". If not specified, "Merge" is used.
   */
  readonly supplementalGroupsPolicy: SupplementalGroupsPolicy;
  /** no_new_privs defines if the flag for no_new_privs should be set on the container. */
  readonly noNewPrivs: boolean;
  /**
   * masked_paths is a slice of paths that should be masked by the container runtime, this can be passed
   * directly to the OCI spec.
   */
  readonly maskedPaths: readonly string[];
  /**
   * readonly_paths is a slice of paths that should be set as readonly by the container runtime, this can be
   * passed directly to the OCI spec.
   */
  readonly readonlyPaths: readonly string[];
  /** Seccomp profile for the container. */
  readonly seccomp?: SecurityProfile | undefined;
  /** AppArmor profile for the container. */
  readonly apparmor?: SecurityProfile | undefined;
  /**
   * AppArmor profile for the container, candidate values are:
   * * runtime/default: equivalent to not specifying a profile.
   * * unconfined: no profiles are loaded
   * * localhost/\<profile_name\>: profile loaded on the node (localhost) by name. The possible profile names
   *   are detailed at https://gitlab.com/apparmor/apparmor/-/wikis/AppArmor_Core_Policy_Reference
   */
  readonly apparmorProfile: string;
  /**
   * Seccomp profile for the container, candidate values are:
   * * runtime/default: the default profile for the container runtime
   * * unconfined: unconfined profile, ie, no seccomp sandboxing
   * * localhost/\<full-path-to-profile\>: the profile installed on the node. \<full-path-to-profile\> is the
   *   full path of the profile. Default: "", which is identical with unconfined.
   */
  readonly seccompProfilePath: string;
}

/** The message `LinuxContainerUser` of `runtime.v1`. */
export interface LinuxContainerUser {
  /** uid is the primary uid initially attached to the first process in the container */
  readonly uid: number;
  /** gid is the primary gid initially attached to the first process in the container */
  readonly gid: number;
  /**
   * supplemental_groups are the supplemental groups initially attached to the first process in the container
   */
  readonly supplementalGroups: readonly number[];
}

/**
 * LinuxPodSandboxConfig holds platform-specific configurations for Linux host platforms and Linux-based
 * containers.
 */
export interface LinuxPodSandboxConfig {
  /**
   * Parent cgroup of the PodSandbox. The cgroupfs style syntax will be used, but the container runtime can
   * convert it to systemd semantics if needed.
   */
  readonly cgroupParent: string;
  /** LinuxSandboxSecurityContext holds sandbox security attributes. */
  readonly securityContext?: LinuxSandboxSecurityContext | undefined;
  /** Sysctls holds linux sysctls config for the sandbox. */
  readonly sysctls: Readonly<Record<string, string>>;
  /** Optional overhead represents the overheads associated with this sandbox */
  readonly overhead?: LinuxContainerResources | undefined;
  /** Optional resources represents the sum of container resources for this sandbox */
  readonly resources?: LinuxContainerResources | undefined;
}

/** LinuxPodSandboxStats provides the resource usage statistics for a pod sandbox on linux. */
export interface LinuxPodSandboxStats {
  /** CPU usage gathered for the pod sandbox. */
  readonly cpu?: CpuUsage | undefined;
  /** Memory usage gathered for the pod sandbox. */
  readonly memory?: MemoryUsage | undefined;
  /** Network usage gathered for the pod sandbox */
  readonly network?: NetworkUsage | undefined;
  /** Stats pertaining to processes in the pod sandbox. */
  readonly process?: ProcessUsage | undefined;
  /** Stats of containers in the measured pod sandbox. */
  readonly containers: readonly ContainerStats[];
  /** IO usage gathered for the pod sandbox. */
  readonly io?: IoUsage | undefined;
}

/** LinuxSandboxStatus contains status specific to Linux sandboxes. */
export interface LinuxPodSandboxStatus {
  /** Paths to the sandbox's namespaces. */
  readonly namespaces?: Namespace | undefined;
}

/** The message `LinuxRuntimeConfiguration` of `runtime.v1`. */
export interface LinuxRuntimeConfiguration {
  /**
   * Cgroup driver to use Note: this field should not change for the lifecycle of the Kubelet, or while there
   * are running containers. The Kubelet will not re-request this after startup, and will construct the cgroup
   * hierarchy assuming it is static. If the runtime wishes to change this value, it must be accompanied by
   * removal of all pods, and a restart of the Kubelet. The easiest way to do this is with a full node reboot.
   */
  readonly cgroupDriver: CgroupDriver;
}

/**
 * LinuxSandboxSecurityContext holds linux security configuration that will be applied to a sandbox. Note
 * that:
 * 1) It does not apply to containers in the pods.
 * 2) It may not be applicable to a PodSandbox which does not contain any running process.
 */
export interface LinuxSandboxSecurityContext {
  /**
   * Configurations for the sandbox's namespaces. This will be used only if the PodSandbox uses namespace for
   * isolation.
   */
  readonly namespaceOptions?: NamespaceOption | undefined;
  /** Optional SELinux context to be applied. */
  readonly selinuxOptions?: SELinuxOption | undefined;
  /** UID to run sandbox processes as, when applicable. */
  readonly runAsUser?: Int64Value | undefined;
  /**
   * GID to run sandbox processes as, when applicable. run_as_group should only be specified when run_as_user
   * is specified; otherwise, the runtime MUST error.
   */
  readonly runAsGroup?: Int64Value | undefined;
  /** If set, the root filesystem of the sandbox is read-only. */
  readonly readonlyRootfs: boolean;
  /**
   * List of groups applied to the first process run in each container. supplemental_groups_policy can control
   * how groups will be calculated.
   */
  readonly supplementalGroups: readonly number[];
  /**
   * supplemental_groups_policy defines how supplemental groups of the first container processes are
   * calculated. Valid values are "Merge" and "Strict". If not specified, "Merge" is used.
   */
  readonly supplementalGroupsPolicy: SupplementalGroupsPolicy;
  /**
   * Indicates whether the sandbox will be asked to run a privileged container. If a privileged container is
   * to be executed within it, this MUST be true. This allows a sandbox to take additional security
   * precautions if no privileged containers are expected to be run.
   */
  readonly privileged: boolean;
  /** Seccomp profile for the sandbox. */
  readonly seccomp?: SecurityProfile | undefined;
  /** AppArmor profile for the sandbox. */
  readonly apparmor?: SecurityProfile | undefined;
  /**
   * Seccomp profile for the sandbox, candidate values are:
   * * runtime/default: the default profile for the container runtime
   * * unconfined: unconfined profile, ie, no seccomp sandboxing
   * * localhost/\<full-path-to-profile\>: the profile installed on the node. \<full-path-to-profile\> is the
   *   full path of the profile. Default: "", which is identical with unconfined.
   */
  readonly seccompProfilePath: string;
}

/** What `RuntimeService.ListContainerStats` is asked. */
export interface ListContainerStatsRequest {
  /** Filter for the list request. */
  readonly filter?: ContainerStatsFilter | undefined;
}

/** What `RuntimeService.ListContainerStats` answers. */
export interface ListContainerStatsResponse {
  /** Stats of the container. */
  readonly stats: readonly ContainerStats[];
}

/** What `RuntimeService.ListContainers` is asked. */
export interface ListContainersRequest {
  readonly filter?: ContainerFilter | undefined;
}

/** What `RuntimeService.ListContainers` answers. */
export interface ListContainersResponse {
  /** List of containers. */
  readonly containers: readonly Container[];
}

/** What `ImageService.ListImages` is asked. */
export interface ListImagesRequest {
  /** Filter to list images. */
  readonly filter?: ImageFilter | undefined;
}

/** What `ImageService.ListImages` answers. */
export interface ListImagesResponse {
  /** List of images. */
  readonly images: readonly Image[];
}

/** What `RuntimeService.ListMetricDescriptors` is asked. */
export type ListMetricDescriptorsRequest = Readonly<Record<never, never>>;

/** What `RuntimeService.ListMetricDescriptors` answers. */
export interface ListMetricDescriptorsResponse {
  readonly descriptors: readonly MetricDescriptor[];
}

/** What `RuntimeService.ListPodSandboxMetrics` is asked. */
export type ListPodSandboxMetricsRequest = Readonly<Record<never, never>>;

/** What `RuntimeService.ListPodSandboxMetrics` answers. */
export interface ListPodSandboxMetricsResponse {
  readonly podMetrics: readonly PodSandboxMetrics[];
}

/** What `RuntimeService.ListPodSandbox` is asked. */
export interface ListPodSandboxRequest {
  /** PodSandboxFilter to filter a list of PodSandboxes. */
  readonly filter?: PodSandboxFilter | undefined;
}

/** What `RuntimeService.ListPodSandbox` answers. */
export interface ListPodSandboxResponse {
  /** List of PodSandboxes. */
  readonly items: readonly PodSandbox[];
}

/** What `RuntimeService.ListPodSandboxStats` is asked. */
export interface ListPodSandboxStatsRequest {
  /** Filter for the list request. */
  readonly filter?: PodSandboxStatsFilter | undefined;
}

/** What `RuntimeService.ListPodSandboxStats` answers. */
export interface ListPodSandboxStatsResponse {
  /** Stats of the pod sandbox. */
  readonly stats: readonly PodSandboxStats[];
}

/** MemoryUsage provides the memory usage information. */
export interface MemoryUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** The amount of working set memory in bytes. */
  readonly workingSetBytes?: UInt64Value | undefined;
  /** Available memory for use. This is defined as the memory limit - workingSetBytes. */
  readonly availableBytes?: UInt64Value | undefined;
  /** Total memory in use. This includes all memory regardless of when it was accessed. */
  readonly usageBytes?: UInt64Value | undefined;
  /** The amount of anonymous and swap cache memory (includes transparent hugepages). */
  readonly rssBytes?: UInt64Value | undefined;
  /** Cumulative number of minor page faults. */
  readonly pageFaults?: UInt64Value | undefined;
  /** Cumulative number of major page faults. */
  readonly majorPageFaults?: UInt64Value | undefined;
  /** Memory PSI statistics. */
  readonly psi?: PsiStats | undefined;
}

/** The message `Metric` of `runtime.v1`. */
export interface Metric {
  /**
   * Name must match a name previously returned in a MetricDescriptors call, otherwise, it will be ignored.
   */
  readonly name: string;
  /**
   * Timestamp should be 0 if the metric was gathered live. If it was cached, the Timestamp should reflect the
   * time in nanoseconds it was collected.
   */
  readonly timestamp: number;
  readonly metricType: MetricType;
  /**
   * The corresponding LabelValues to the LabelKeys defined in the MetricDescriptor. It is the responsibility
   * of the runtime to correctly keep sorted the keys and values. If the two slices have different length, the
   * behavior is undefined.
   */
  readonly labelValues: readonly string[];
  readonly value?: UInt64Value | undefined;
}

/** The message `MetricDescriptor` of `runtime.v1`. */
export interface MetricDescriptor {
  /**
   * The name field will be used as a unique identifier of this MetricDescriptor, and be used in conjunction
   * with the Metric structure to populate the full Metric.
   */
  readonly name: string;
  readonly help: string;
  /**
   * When a metric uses this metric descriptor, it should only define labels that have previously been
   * declared in label_keys. It is the responsibility of the runtime to correctly keep sorted the keys and
   * values. If the two slices have different length, the behavior is undefined.
   */
  readonly labelKeys: readonly string[];
}

/** Mount specifies a host volume to mount into a container. */
export interface Mount {
  /** Path of the mount within the container. */
  readonly containerPath: string;
  /**
   * Path of the mount on the host. Has to be empty if the image field below is provided, because those fields
   * are mutually exclusive. If the image field below is nil and the host path doesn't exist, then runtimes
   * should report an error. If the hostpath is a symbolic link, runtimes should follow the symlink and mount
   * the real destination to container.
   */
  readonly hostPath: string;
  /** If set, the mount is read-only. */
  readonly readonly: boolean;
  /** If set, the mount needs SELinux relabeling. */
  readonly selinuxRelabel: boolean;
  /** Requested propagation mode. */
  readonly propagation: MountPropagation;
  /** UidMappings specifies the runtime UID mappings for the mount. */
  readonly uidMappings: readonly IDMapping[];
  /** GidMappings specifies the runtime GID mappings for the mount. */
  readonly gidMappings: readonly IDMapping[];
  /**
   * If set to true, the mount is made recursive read-only. In this CRI API, recursive_read_only is a plain
   * true/false boolean, although its equivalent in the Kubernetes core API is a quaternary that can be nil,
   * "Enabled", "IfPossible", or "Disabled". kubelet translates that quaternary value in the core API into a
   * boolean in this CRI API. …
   */
  readonly recursiveReadOnly: boolean;
  /**
   * Mount an image reference (image ID, with or without digest), which is a special use case for image volume
   * mounts. If this field is set, then host_path should be unset. All image mounts are per feature definition
   * readonly. The kubelet does an PullImage RPC and evaluates the returned PullImageResponse.image_ref value,
   * which is then set to the ImageSpec.image field. Runtimes are expected to mount the image as required.
   * Introduced in the Image Volume Source KEP: https://kep.k8s.io/4639
   */
  readonly image?: ImageSpec | undefined;
  /**
   * Specific image sub path to be used from inside the image instead of its root, only necessary if the above
   * image field is set. If the sub path is not empty and does not exist in the image, then runtimes should
   * fail and return an error. Introduced in the Image Volume Source KEP beta graduation:
   * https://kep.k8s.io/4639
   */
  readonly imageSubPath: string;
}

/** Namespace contains paths to the namespaces. */
export interface Namespace {
  /** Namespace options for Linux namespaces. */
  readonly options?: NamespaceOption | undefined;
}

/** NamespaceOption provides options for Linux namespaces. */
export interface NamespaceOption {
  /**
   * Network namespace for this container/sandbox. Note: There is currently no way to set CONTAINER scoped
   * network in the Kubernetes API. Namespaces currently set by the kubelet: POD, NODE
   */
  readonly network: NamespaceMode;
  /**
   * PID namespace for this container/sandbox. Note: The CRI default is POD, but the v1.PodSpec default is
   * CONTAINER. The kubelet's runtime manager will set this to CONTAINER explicitly for v1 pods. Namespaces
   * currently set by the kubelet: POD, CONTAINER, NODE, TARGET
   */
  readonly pid: NamespaceMode;
  /**
   * IPC namespace for this container/sandbox. Note: There is currently no way to set CONTAINER scoped IPC in
   * the Kubernetes API. Namespaces currently set by the kubelet: POD, NODE
   */
  readonly ipc: NamespaceMode;
  /**
   * Target Container ID for NamespaceMode of TARGET. This container must have been previously created in the
   * same pod. It is not possible to specify different targets for each namespace.
   */
  readonly targetId: string;
  /**
   * UsernsOptions for this pod sandbox. The Kubelet picks the user namespace configuration to use for the pod
   * sandbox. The mappings are specified as part of the UserNamespace struct. If the struct is nil, then the
   * POD mode must be assumed. This is done for backward compatibility with older Kubelet versions that do not
   * set a user namespace.
   */
  readonly usernsOptions?: UserNamespace | undefined;
}

/** The message `NetworkConfig` of `runtime.v1`. */
export interface NetworkConfig {
  /** CIDR to use for pod IP addresses. If the CIDR is empty, runtimes should omit it. */
  readonly podCidr: string;
}

/** NetworkInterfaceUsage contains resource value data about a network interface. */
export interface NetworkInterfaceUsage {
  /** The name of the network interface. */
  readonly name: string;
  /** Cumulative count of bytes received. */
  readonly rxBytes?: UInt64Value | undefined;
  /** Cumulative count of receive errors encountered. */
  readonly rxErrors?: UInt64Value | undefined;
  /** Cumulative count of bytes transmitted. */
  readonly txBytes?: UInt64Value | undefined;
  /** Cumulative count of transmit errors encountered. */
  readonly txErrors?: UInt64Value | undefined;
}

/** NetworkUsage contains data about network resources. */
export interface NetworkUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** Stats for the default network interface. */
  readonly defaultInterface?: NetworkInterfaceUsage | undefined;
  /** Stats for all found network interfaces, excluding the default. */
  readonly interfaces: readonly NetworkInterfaceUsage[];
}

/** PodIP represents an ip of a Pod */
export interface PodIP {
  /** an ip is a string representation of an IPv4 or an IPv6 */
  readonly ip: string;
}

/** PodSandbox contains minimal information about a sandbox. */
export interface PodSandbox {
  /** ID of the PodSandbox. */
  readonly id: string;
  /** Metadata of the PodSandbox. */
  readonly metadata?: PodSandboxMetadata | undefined;
  /** State of the PodSandbox. */
  readonly state: PodSandboxState;
  /** Creation timestamps of the PodSandbox in nanoseconds. Must be \> 0. */
  readonly createdAt: number;
  /** Labels of the PodSandbox. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Unstructured key-value map holding arbitrary metadata. Annotations MUST NOT be altered by the runtime;
   * the value of this field MUST be identical to that of the corresponding PodSandboxConfig used to
   * instantiate this PodSandbox.
   */
  readonly annotations: Readonly<Record<string, string>>;
  /** runtime configuration used for this PodSandbox. */
  readonly runtimeHandler: string;
}

/** PodSandboxAttributes provides basic information of the pod sandbox. */
export interface PodSandboxAttributes {
  /** ID of the pod sandbox. */
  readonly id: string;
  /** Metadata of the pod sandbox. */
  readonly metadata?: PodSandboxMetadata | undefined;
  /** Key-value pairs that may be used to scope and select individual resources. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Unstructured key-value map holding arbitrary metadata. Annotations MUST NOT be altered by the runtime;
   * the value of this field MUST be identical to that of the corresponding PodSandboxStatus used to
   * instantiate the PodSandbox this status represents.
   */
  readonly annotations: Readonly<Record<string, string>>;
}

/** PodSandboxConfig holds all the required and optional fields for creating a sandbox. */
export interface PodSandboxConfig {
  /**
   * Metadata of the sandbox. This information will uniquely identify the sandbox, and the runtime should
   * leverage this to ensure correct operation. The runtime may also use this information to improve UX, such
   * as by constructing a readable name.
   */
  readonly metadata?: PodSandboxMetadata | undefined;
  /** Hostname of the sandbox. Hostname could only be empty when the pod network namespace is NODE. */
  readonly hostname: string;
  /**
   * Path to the directory on the host in which container log files are stored. By default the log of a
   * container going into the LogDirectory will be hooked up to STDOUT and STDERR. However, the LogDirectory
   * may contain binary log files with structured logging data from the individual containers. …
   */
  readonly logDirectory: string;
  /** DNS config for the sandbox. */
  readonly dnsConfig?: DNSConfig | undefined;
  /** Port mappings for the sandbox. */
  readonly portMappings: readonly PortMapping[];
  /** Key-value pairs that may be used to scope and select individual resources. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Unstructured key-value map that may be set by the kubelet to store and retrieve arbitrary metadata. This
   * will include any annotations set on a pod through the Kubernetes API.
   *
   * Annotations MUST NOT be altered by the runtime; the annotations stored here MUST be returned in the
   * PodSandboxStatus associated with the pod this PodSandboxConfig creates. …
   */
  readonly annotations: Readonly<Record<string, string>>;
  /** Optional configurations specific to Linux hosts. */
  readonly linux?: LinuxPodSandboxConfig | undefined;
  /** Optional configurations specific to Windows hosts. */
  readonly windows?: WindowsPodSandboxConfig | undefined;
}

/** PodSandboxFilter is used to filter a list of PodSandboxes. All those fields are combined with 'AND' */
export interface PodSandboxFilter {
  /** ID of the sandbox. */
  readonly id: string;
  /** State of the sandbox. */
  readonly state?: PodSandboxStateValue | undefined;
  /**
   * LabelSelector to select matches. Only api.MatchLabels is supported for now and the requirements are
   * ANDed. MatchExpressions is not supported yet.
   */
  readonly labelSelector: Readonly<Record<string, string>>;
}

/**
 * PodSandboxMetadata holds all necessary information for building the sandbox name. The container runtime is
 * encouraged to expose the metadata associated with the PodSandbox in its user interface for better user
 * experience. For example, the runtime can construct a unique PodSandboxName based on the metadata.
 */
export interface PodSandboxMetadata {
  /** Pod name of the sandbox. Same as the pod name in the Pod ObjectMeta. */
  readonly name: string;
  /** Pod UID of the sandbox. Same as the pod UID in the Pod ObjectMeta. */
  readonly uid: string;
  /** Pod namespace of the sandbox. Same as the pod namespace in the Pod ObjectMeta. */
  readonly namespace: string;
  /** Attempt number of creating the sandbox. Default: 0. */
  readonly attempt: number;
}

/** The message `PodSandboxMetrics` of `runtime.v1`. */
export interface PodSandboxMetrics {
  readonly podSandboxId: string;
  readonly metrics: readonly Metric[];
  readonly containerMetrics: readonly ContainerMetrics[];
}

/**
 * PodSandboxNetworkStatus is the status of the network for a PodSandbox. Currently ignored for pods sharing
 * the host networking namespace.
 */
export interface PodSandboxNetworkStatus {
  /** IP address of the PodSandbox. */
  readonly ip: string;
  /** list of additional ips (not inclusive of PodSandboxNetworkStatus.Ip) of the PodSandBoxNetworkStatus */
  readonly additionalIps: readonly PodIP[];
}

/** PodSandboxStateValue is the wrapper of PodSandboxState. */
export interface PodSandboxStateValue {
  /** State of the sandbox. */
  readonly state: PodSandboxState;
}

/**
 * PodSandboxStats provides the resource usage statistics for a pod. The linux or windows field will be
 * populated depending on the platform.
 */
export interface PodSandboxStats {
  /** Information of the pod. */
  readonly attributes?: PodSandboxAttributes | undefined;
  /** Stats from linux. */
  readonly linux?: LinuxPodSandboxStats | undefined;
  /** Stats from windows. */
  readonly windows?: WindowsPodSandboxStats | undefined;
}

/**
 * PodSandboxStatsFilter is used to filter the list of pod sandboxes to retrieve stats for. All those fields
 * are combined with 'AND'.
 */
export interface PodSandboxStatsFilter {
  /** ID of the pod sandbox. */
  readonly id: string;
  /**
   * LabelSelector to select matches. Only api.MatchLabels is supported for now and the requirements are
   * ANDed. MatchExpressions is not supported yet.
   */
  readonly labelSelector: Readonly<Record<string, string>>;
}

/** What `RuntimeService.PodSandboxStats` is asked. */
export interface PodSandboxStatsRequest {
  /** ID of the pod sandbox for which to retrieve stats. */
  readonly podSandboxId: string;
}

/** What `RuntimeService.PodSandboxStats` answers. */
export interface PodSandboxStatsResponse {
  readonly stats?: PodSandboxStats | undefined;
}

/** PodSandboxStatus contains the status of the PodSandbox. */
export interface PodSandboxStatus {
  /** ID of the sandbox. */
  readonly id: string;
  /** Metadata of the sandbox. */
  readonly metadata?: PodSandboxMetadata | undefined;
  /** State of the sandbox. */
  readonly state: PodSandboxState;
  /** Creation timestamp of the sandbox in nanoseconds. Must be \> 0. */
  readonly createdAt: number;
  /** Network contains network status if network is handled by the runtime. */
  readonly network?: PodSandboxNetworkStatus | undefined;
  /** Linux-specific status to a pod sandbox. */
  readonly linux?: LinuxPodSandboxStatus | undefined;
  /** Labels are key-value pairs that may be used to scope and select individual resources. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Unstructured key-value map holding arbitrary metadata. Annotations MUST NOT be altered by the runtime;
   * the value of this field MUST be identical to that of the corresponding PodSandboxConfig used to
   * instantiate the pod sandbox this status represents.
   */
  readonly annotations: Readonly<Record<string, string>>;
  /** runtime configuration used for this PodSandbox. */
  readonly runtimeHandler: string;
}

/** What `RuntimeService.PodSandboxStatus` is asked. */
export interface PodSandboxStatusRequest {
  /** ID of the PodSandbox for which to retrieve status. */
  readonly podSandboxId: string;
  /** Verbose indicates whether to return extra information about the pod sandbox. */
  readonly verbose: boolean;
}

/** What `RuntimeService.PodSandboxStatus` answers. */
export interface PodSandboxStatusResponse {
  /** Status of the PodSandbox. */
  readonly status?: PodSandboxStatus | undefined;
  /**
   * Info is extra information of the PodSandbox. The key could be arbitrary string, and value should be in
   * json format. The information could include anything useful for debug, e.g. network namespace for linux
   * container based container runtime. It should only be returned non-empty when Verbose is true.
   */
  readonly info: Readonly<Record<string, string>>;
  /** Container statuses */
  readonly containersStatuses: readonly ContainerStatus[];
  /** Timestamp in nanoseconds at which container and pod statuses were recorded */
  readonly timestamp: number;
}

/** What `RuntimeService.PortForward` is asked. */
export interface PortForwardRequest {
  /** ID of the container to which to forward the port. */
  readonly podSandboxId: string;
  /** Port to forward. */
  readonly port: readonly number[];
}

/** What `RuntimeService.PortForward` answers. */
export interface PortForwardResponse {
  /** Fully qualified URL of the port-forward streaming server. */
  readonly url: string;
}

/** PortMapping specifies the port mapping configurations of a sandbox. */
export interface PortMapping {
  /** Protocol of the port mapping. */
  readonly protocol: Protocol;
  /** Port number within the container. Default: 0 (not specified). */
  readonly containerPort: number;
  /**
   * Port number on the host to map the container port to.
   *
   * * Valid host port range is 1-65535.
   * * The value 0 has explicit semantic meaning: it indicates NO host port should be allocated.
   * * The value 0 does NOT indicate dynamic port allocation. Future implementations of dynamic allocation
   *   will use different values/semantics.
   * * Implementations MUST handle the case where this field is explicitly set to 0, This field SHOULD be
   *   omitted when no port is required. …
   */
  readonly hostPort: number;
  /** Host IP. */
  readonly hostIp: string;
}

/** ProcessUsage are stats pertaining to processes. */
export interface ProcessUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** Number of processes. */
  readonly processCount?: UInt64Value | undefined;
}

/** PSI data for an individual resource. */
export interface PsiData {
  /** Total time duration for tasks in the cgroup have waited due to congestion. Unit: nanoseconds. */
  readonly Total: number;
  /** The average (in %) tasks have waited due to congestion over a 10 second window. */
  readonly Avg10: number;
  /** The average (in %) tasks have waited due to congestion over a 60 second window. */
  readonly Avg60: number;
  /** The average (in %) tasks have waited due to congestion over a 300 second window. */
  readonly Avg300: number;
}

/** PSI statistics for an individual resource. */
export interface PsiStats {
  /** PSI data for all tasks in the cgroup. */
  readonly Full?: PsiData | undefined;
  /** PSI data for some tasks in the cgroup. */
  readonly Some?: PsiData | undefined;
}

/** What `ImageService.PullImage` is asked. */
export interface PullImageRequest {
  /** Spec of the image. */
  readonly image?: ImageSpec | undefined;
  /** Authentication configuration for pulling the image. */
  readonly auth?: AuthConfig | undefined;
  /** Config of the PodSandbox, which is used to pull image in PodSandbox context. */
  readonly sandboxConfig?: PodSandboxConfig | undefined;
}

/** What `ImageService.PullImage` answers. */
export interface PullImageResponse {
  /**
   * Reference to the unique identifier of the image on the node, as returned in the image and runtime service
   * apis. …
   */
  readonly imageRef: string;
}

/** What `RuntimeService.RemoveContainer` is asked. */
export interface RemoveContainerRequest {
  /** ID of the container to remove. */
  readonly containerId: string;
}

/** What `RuntimeService.RemoveContainer` answers. */
export type RemoveContainerResponse = Readonly<Record<never, never>>;

/** What `ImageService.RemoveImage` is asked. */
export interface RemoveImageRequest {
  /** Spec of the image to remove. */
  readonly image?: ImageSpec | undefined;
}

/** What `ImageService.RemoveImage` answers. */
export type RemoveImageResponse = Readonly<Record<never, never>>;

/** What `RuntimeService.RemovePodSandbox` is asked. */
export interface RemovePodSandboxRequest {
  /** ID of the PodSandbox to remove. */
  readonly podSandboxId: string;
}

/** What `RuntimeService.RemovePodSandbox` answers. */
export type RemovePodSandboxResponse = Readonly<Record<never, never>>;

/** What `RuntimeService.ReopenContainerLog` is asked. */
export interface ReopenContainerLogRequest {
  /** ID of the container for which to reopen the log. */
  readonly containerId: string;
}

/** What `RuntimeService.ReopenContainerLog` answers. */
export type ReopenContainerLogResponse = Readonly<Record<never, never>>;

/** What `RuntimeService.RunPodSandbox` is asked. */
export interface RunPodSandboxRequest {
  /** Configuration for creating a PodSandbox. */
  readonly config?: PodSandboxConfig | undefined;
  /**
   * Named runtime configuration to use for this PodSandbox. If the runtime handler is unknown, this request
   * should be rejected. An empty string should select the default handler, equivalent to the behavior before
   * this feature was added. See https://git.k8s.io/enhancements/keps/sig-node/585-runtime-class
   */
  readonly runtimeHandler: string;
}

/** What `RuntimeService.RunPodSandbox` answers. */
export interface RunPodSandboxResponse {
  /** ID of the PodSandbox to run. */
  readonly podSandboxId: string;
}

/**
 * RuntimeCondition contains condition information for the runtime. There are 2 kinds of runtime conditions:
 * 1. Required conditions: Conditions are required for kubelet to work properly. If any required condition is
 * unmet, the node will be not ready. …
 */
export interface RuntimeCondition {
  /** Type of runtime condition. */
  readonly type: string;
  /** Status of the condition, one of true/false. Default: false. */
  readonly status: boolean;
  /** Brief CamelCase string containing reason for the condition's last transition. */
  readonly reason: string;
  /** Human-readable message indicating details about last transition. */
  readonly message: string;
}

/** The message `RuntimeConfig` of `runtime.v1`. */
export interface RuntimeConfig {
  readonly networkConfig?: NetworkConfig | undefined;
}

/** What `RuntimeService.RuntimeConfig` is asked. */
export type RuntimeConfigRequest = Readonly<Record<never, never>>;

/** What `RuntimeService.RuntimeConfig` answers. */
export interface RuntimeConfigResponse {
  /**
   * Configuration information for Linux-based runtimes. This field contains global runtime configuration
   * options that are not specific to runtime handlers.
   */
  readonly linux?: LinuxRuntimeConfiguration | undefined;
}

/**
 * RuntimeFeatures describes the set of features implemented by the CRI implementation. The features contained
 * in the RuntimeFeatures should depend only on the cri implementation independent of runtime handlers.
 */
export interface RuntimeFeatures {
  /**
   * supplemental_groups_policy is set to true if the runtime supports SupplementalGroupsPolicy and
   * ContainerUser.
   */
  readonly supplementalGroupsPolicy: boolean;
  /**
   * user_namespaces_host_network is set to true if the runtime supports containers using both host network
   * and user namespace simultaneously.
   */
  readonly userNamespacesHostNetwork: boolean;
}

/** The message `RuntimeHandler` of `runtime.v1`. */
export interface RuntimeHandler {
  /** Name must be unique in StatusResponse. An empty string denotes the default handler. */
  readonly name: string;
  /** Supported features. */
  readonly features?: RuntimeHandlerFeatures | undefined;
}

/** RuntimeHandlerFeatures is a set of features implemented by the runtime handler. */
export interface RuntimeHandlerFeatures {
  /**
   * recursive_read_only_mounts is set to true if the runtime handler supports recursive read-only mounts. For
   * runc-compatible runtimes, availability of this feature can be detected by checking whether the Linux
   * kernel version is \>= 5.12, and, `runc features | jq .mountOptions` contains "rro".
   */
  readonly recursiveReadOnlyMounts: boolean;
  /**
   * user_namespaces is set to true if the runtime handler supports user namespaces as implemented in
   * Kubernetes. This means support for both, user namespaces and idmap mounts.
   */
  readonly userNamespaces: boolean;
}

/** RuntimeStatus is information about the current status of the runtime. */
export interface RuntimeStatus {
  /** List of current observed runtime conditions. */
  readonly conditions: readonly RuntimeCondition[];
}

/** SELinuxOption are the labels to be applied to the container. */
export interface SELinuxOption {
  readonly user: string;
  readonly role: string;
  readonly type: string;
  readonly level: string;
}

/** A security profile which can be used for sandboxes and containers. */
export interface SecurityProfile {
  /** Indicator which `ProfileType` should be applied. */
  readonly profileType: SecurityProfileProfileType;
  /**
   * Indicates that a pre-defined profile on the node should be used. Must only be set if `ProfileType` is
   * `Localhost`. For seccomp, it must be an absolute path to the seccomp profile. For AppArmor, this field is
   * the AppArmor `<profile name>/`
   */
  readonly localhostRef: string;
}

/** What `RuntimeService.StartContainer` is asked. */
export interface StartContainerRequest {
  /** ID of the container to start. */
  readonly containerId: string;
}

/** What `RuntimeService.StartContainer` answers. */
export type StartContainerResponse = Readonly<Record<never, never>>;

/** What `RuntimeService.Status` is asked. */
export interface StatusRequest {
  /** Verbose indicates whether to return extra information about the runtime. */
  readonly verbose: boolean;
}

/** What `RuntimeService.Status` answers. */
export interface StatusResponse {
  /** Status of the Runtime. */
  readonly status?: RuntimeStatus | undefined;
  /**
   * Info is extra information of the Runtime. The key could be arbitrary string, and value should be in json
   * format. The information could include anything useful for debug, e.g. plugins used by the container
   * runtime. It should only be returned non-empty when Verbose is true.
   */
  readonly info: Readonly<Record<string, string>>;
  /** Runtime handlers. */
  readonly runtimeHandlers: readonly RuntimeHandler[];
  /**
   * features describes the set of features implemented by the CRI implementation. This field is supposed to
   * propagate to NodeFeatures in Kubernetes API.
   */
  readonly features?: RuntimeFeatures | undefined;
}

/** What `RuntimeService.StopContainer` is asked. */
export interface StopContainerRequest {
  /** ID of the container to stop. */
  readonly containerId: string;
  /**
   * Timeout in seconds to wait for the container to stop before forcibly terminating it. Default: 0 (forcibly
   * terminate the container immediately)
   */
  readonly timeout: number;
}

/** What `RuntimeService.StopContainer` answers. */
export type StopContainerResponse = Readonly<Record<never, never>>;

/** What `RuntimeService.StopPodSandbox` is asked. */
export interface StopPodSandboxRequest {
  /** ID of the PodSandbox to stop. */
  readonly podSandboxId: string;
}

/** What `RuntimeService.StopPodSandbox` answers. */
export type StopPodSandboxResponse = Readonly<Record<never, never>>;

/** The message `SwapUsage` of `runtime.v1`. */
export interface SwapUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** Available swap for use. This is defined as the swap limit - swapUsageBytes. */
  readonly swapAvailableBytes?: UInt64Value | undefined;
  /** Total memory in use. This includes all memory regardless of when it was accessed. */
  readonly swapUsageBytes?: UInt64Value | undefined;
}

/** UInt64Value is the wrapper of uint64. */
export interface UInt64Value {
  /** The value. */
  readonly value: number;
}

/** What `RuntimeService.UpdateContainerResources` is asked. */
export interface UpdateContainerResourcesRequest {
  /** ID of the container to update. */
  readonly containerId: string;
  /** Resource configuration specific to Linux containers. */
  readonly linux?: LinuxContainerResources | undefined;
  /** Resource configuration specific to Windows containers. */
  readonly windows?: WindowsContainerResources | undefined;
  /**
   * Unstructured key-value map holding arbitrary additional information for container resources updating.
   * This can be used for specifying experimental resources to update or other options to use when updating
   * the container.
   */
  readonly annotations: Readonly<Record<string, string>>;
}

/** What `RuntimeService.UpdateContainerResources` answers. */
export type UpdateContainerResourcesResponse = Readonly<Record<never, never>>;

/** What `RuntimeService.UpdatePodSandboxResources` is asked. */
export interface UpdatePodSandboxResourcesRequest {
  /** ID of the PodSandbox to update. */
  readonly podSandboxId: string;
  /** Optional overhead represents the overheads associated with this sandbox */
  readonly overhead?: LinuxContainerResources | undefined;
  /** Optional resources represents the sum of container resources for this sandbox */
  readonly resources?: LinuxContainerResources | undefined;
}

/** What `RuntimeService.UpdatePodSandboxResources` answers. */
export type UpdatePodSandboxResourcesResponse = Readonly<Record<never, never>>;

/** What `RuntimeService.UpdateRuntimeConfig` is asked. */
export interface UpdateRuntimeConfigRequest {
  readonly runtimeConfig?: RuntimeConfig | undefined;
}

/** What `RuntimeService.UpdateRuntimeConfig` answers. */
export type UpdateRuntimeConfigResponse = Readonly<Record<never, never>>;

/** UserNamespace describes the intended user namespace configuration for a pod sandbox. */
export interface UserNamespace {
  /**
   * Mode is the NamespaceMode for this UserNamespace. Note: NamespaceMode for UserNamespace currently
   * supports only POD and NODE, not CONTAINER OR TARGET.
   */
  readonly mode: NamespaceMode;
  /** Uids specifies the UID mappings for the user namespace. */
  readonly uids: readonly IDMapping[];
  /** Gids specifies the GID mappings for the user namespace. */
  readonly gids: readonly IDMapping[];
}

/** What `RuntimeService.Version` is asked. */
export interface VersionRequest {
  /** Version of the kubelet runtime API. */
  readonly version: string;
}

/** What `RuntimeService.Version` answers. */
export interface VersionResponse {
  /** Version of the kubelet runtime API. */
  readonly version: string;
  /** Name of the container runtime. */
  readonly runtimeName: string;
  /** Version of the container runtime. The string must be semver-compatible. */
  readonly runtimeVersion: string;
  /** API version of the container runtime. The string must be semver-compatible. */
  readonly runtimeApiVersion: string;
}

/** WindowsContainerConfig contains platform-specific configuration for Windows-based containers. */
export interface WindowsContainerConfig {
  /** Resources specification for the container. */
  readonly resources?: WindowsContainerResources | undefined;
  /** WindowsContainerSecurityContext configuration for the container. */
  readonly securityContext?: WindowsContainerSecurityContext | undefined;
}

/** WindowsContainerResources specifies Windows specific configuration for resources. */
export interface WindowsContainerResources {
  /** CPU shares (relative weight vs. other containers). Default: 0 (not specified). */
  readonly cpuShares: number;
  /** Number of CPUs available to the container. Default: 0 (not specified). */
  readonly cpuCount: number;
  /** Specifies the portion of processor cycles that this container can use as a percentage times 100. */
  readonly cpuMaximum: number;
  /** Memory limit in bytes. Default: 0 (not specified). */
  readonly memoryLimitInBytes: number;
  /**
   * Specifies the size of the rootfs / scratch space in bytes to be configured for this container. Default: 0
   * (not specified).
   */
  readonly rootfsSizeInBytes: number;
  /** Optionally specifies the set of CPUs to affinitize for this container. */
  readonly affinityCpus: readonly WindowsCpuGroupAffinity[];
}

/**
 * WindowsContainerSecurityContext holds windows security configuration that will be applied to a container.
 */
export interface WindowsContainerSecurityContext {
  /**
   * User name to run the container process as. If specified, the user MUST exist in the container image and
   * be resolved there by the runtime; otherwise, the runtime MUST return error.
   */
  readonly runAsUsername: string;
  /** The contents of the GMSA credential spec to use to run this container. */
  readonly credentialSpec: string;
  /** Indicates whether a container is to be run as a HostProcess container. */
  readonly hostProcess: boolean;
}

/** WindowsContainerStats provides the resource usage statistics for a container specific for Windows */
export interface WindowsContainerStats {
  /** Information of the container. */
  readonly attributes?: ContainerAttributes | undefined;
  /** CPU usage gathered from the container. */
  readonly cpu?: WindowsCpuUsage | undefined;
  /** Memory usage gathered from the container. */
  readonly memory?: WindowsMemoryUsage | undefined;
  /** Usage of the writable layer. */
  readonly writableLayer?: WindowsFilesystemUsage | undefined;
}

/**
 * WindowsCpuGroupAffinity specifies the CPU mask and group to affinitize. This is similar to the following
 * _GROUP_AFFINITY structure:
 * https://learn.microsoft.com/en-us/windows-hardware/drivers/ddi/miniport/ns-miniport-_group_affinity
 */
export interface WindowsCpuGroupAffinity {
  /** CPU mask relative to this CPU group. */
  readonly cpuMask: number;
  /** Processor group the mask refers to, as returned by GetLogicalProcessorInformationEx. */
  readonly cpuGroup: number;
}

/** WindowsCpuUsage provides the CPU usage information specific to Windows */
export interface WindowsCpuUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** Cumulative CPU usage (sum across all cores) since object creation. */
  readonly usageCoreNanoSeconds?: UInt64Value | undefined;
  /**
   * Total CPU usage (sum of all cores) averaged over the sample window. The "core" unit can be interpreted as
   * CPU core-nanoseconds per second.
   */
  readonly usageNanoCores?: UInt64Value | undefined;
}

/** WindowsFilesystemUsage provides the filesystem usage information specific to Windows. */
export interface WindowsFilesystemUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** The unique identifier of the filesystem. */
  readonly fsId?: FilesystemIdentifier | undefined;
  /**
   * UsedBytes represents the bytes used for images on the filesystem. This may differ from the total bytes
   * used on the filesystem and may not equal CapacityBytes - AvailableBytes.
   */
  readonly usedBytes?: UInt64Value | undefined;
}

/** WindowsMemoryUsage provides the memory usage information specific to Windows */
export interface WindowsMemoryUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** The amount of working set memory in bytes. */
  readonly workingSetBytes?: UInt64Value | undefined;
  /** Available memory for use. This is defined as the memory limit - commit_memory_bytes. */
  readonly availableBytes?: UInt64Value | undefined;
  /** Cumulative number of page faults. */
  readonly pageFaults?: UInt64Value | undefined;
  /** Total commit memory in use. Commit memory is total of physical and virtual memory in use. */
  readonly commitMemoryBytes?: UInt64Value | undefined;
}

/** WindowsNamespaceOption provides options for Windows namespaces. */
export interface WindowsNamespaceOption {
  /** Network namespace for this container/sandbox. This is currently never set by the kubelet */
  readonly network: NamespaceMode;
}

/**
 * WindowsNetworkInterfaceUsage contains resource value data about a network interface specific for Windows.
 */
export interface WindowsNetworkInterfaceUsage {
  /** The name of the network interface. */
  readonly name: string;
  /** Cumulative count of bytes received. */
  readonly rxBytes?: UInt64Value | undefined;
  /** Cumulative count of receive errors encountered. */
  readonly rxPacketsDropped?: UInt64Value | undefined;
  /** Cumulative count of bytes transmitted. */
  readonly txBytes?: UInt64Value | undefined;
  /** Cumulative count of transmit errors encountered. */
  readonly txPacketsDropped?: UInt64Value | undefined;
}

/** WindowsNetworkUsage contains data about network resources specific to Windows. */
export interface WindowsNetworkUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** Stats for the default network interface. */
  readonly defaultInterface?: WindowsNetworkInterfaceUsage | undefined;
  /** Stats for all found network interfaces, excluding the default. */
  readonly interfaces: readonly WindowsNetworkInterfaceUsage[];
}

/**
 * WindowsPodSandboxConfig holds platform-specific configurations for Windows host platforms and Windows-based
 * containers.
 */
export interface WindowsPodSandboxConfig {
  /** WindowsSandboxSecurityContext holds sandbox security attributes. */
  readonly securityContext?: WindowsSandboxSecurityContext | undefined;
}

/** WindowsPodSandboxStats provides the resource usage statistics for a pod sandbox on windows */
export interface WindowsPodSandboxStats {
  /** CPU usage gathered for the pod sandbox. */
  readonly cpu?: WindowsCpuUsage | undefined;
  /** Memory usage gathered for the pod sandbox. */
  readonly memory?: WindowsMemoryUsage | undefined;
  /** Network usage gathered for the pod sandbox */
  readonly network?: WindowsNetworkUsage | undefined;
  /** Stats pertaining to processes in the pod sandbox. */
  readonly process?: WindowsProcessUsage | undefined;
  /** Stats of containers in the measured pod sandbox. */
  readonly containers: readonly WindowsContainerStats[];
}

/** WindowsProcessUsage are stats pertaining to processes specific to Windows. */
export interface WindowsProcessUsage {
  /** Timestamp in nanoseconds at which the information were collected. Must be \> 0. */
  readonly timestamp: number;
  /** Number of processes. */
  readonly processCount?: UInt64Value | undefined;
}

/**
 * WindowsSandboxSecurityContext holds platform-specific configurations that will be applied to a sandbox.
 * These settings will only apply to the sandbox container.
 */
export interface WindowsSandboxSecurityContext {
  /**
   * User name to run the container process as. If specified, the user MUST exist in the container image and
   * be resolved there by the runtime; otherwise, the runtime MUST return error.
   */
  readonly runAsUsername: string;
  /** The contents of the GMSA credential spec to use to run this container. */
  readonly credentialSpec: string;
  /** Indicates whether the container requested to run as a HostProcess container. */
  readonly hostProcess: boolean;
  /** Configuration for the sandbox's namespaces */
  readonly namespaceOptions?: WindowsNamespaceOption | undefined;
}

/** Runtime service defines the public APIs for remote container runtimes */
export interface RuntimeServiceMethods {
  version: { request: VersionRequest; response: VersionResponse };
  runPodSandbox: { request: RunPodSandboxRequest; response: RunPodSandboxResponse };
  stopPodSandbox: { request: StopPodSandboxRequest; response: StopPodSandboxResponse };
  removePodSandbox: { request: RemovePodSandboxRequest; response: RemovePodSandboxResponse };
  podSandboxStatus: { request: PodSandboxStatusRequest; response: PodSandboxStatusResponse };
  listPodSandbox: { request: ListPodSandboxRequest; response: ListPodSandboxResponse };
  createContainer: { request: CreateContainerRequest; response: CreateContainerResponse };
  startContainer: { request: StartContainerRequest; response: StartContainerResponse };
  stopContainer: { request: StopContainerRequest; response: StopContainerResponse };
  removeContainer: { request: RemoveContainerRequest; response: RemoveContainerResponse };
  listContainers: { request: ListContainersRequest; response: ListContainersResponse };
  containerStatus: { request: ContainerStatusRequest; response: ContainerStatusResponse };
  updateContainerResources: { request: UpdateContainerResourcesRequest; response: UpdateContainerResourcesResponse };
  reopenContainerLog: { request: ReopenContainerLogRequest; response: ReopenContainerLogResponse };
  execSync: { request: ExecSyncRequest; response: ExecSyncResponse };
  exec: { request: ExecRequest; response: ExecResponse };
  attach: { request: AttachRequest; response: AttachResponse };
  portForward: { request: PortForwardRequest; response: PortForwardResponse };
  containerStats: { request: ContainerStatsRequest; response: ContainerStatsResponse };
  listContainerStats: { request: ListContainerStatsRequest; response: ListContainerStatsResponse };
  podSandboxStats: { request: PodSandboxStatsRequest; response: PodSandboxStatsResponse };
  listPodSandboxStats: { request: ListPodSandboxStatsRequest; response: ListPodSandboxStatsResponse };
  updateRuntimeConfig: { request: UpdateRuntimeConfigRequest; response: UpdateRuntimeConfigResponse };
  status: { request: StatusRequest; response: StatusResponse };
  checkpointContainer: { request: CheckpointContainerRequest; response: CheckpointContainerResponse };
  listMetricDescriptors: { request: ListMetricDescriptorsRequest; response: ListMetricDescriptorsResponse };
  listPodSandboxMetrics: { request: ListPodSandboxMetricsRequest; response: ListPodSandboxMetricsResponse };
  runtimeConfig: { request: RuntimeConfigRequest; response: RuntimeConfigResponse };
  updatePodSandboxResources: { request: UpdatePodSandboxResourcesRequest; response: UpdatePodSandboxResourcesResponse };
}

/** ImageService defines the public APIs for managing images. */
export interface ImageServiceMethods {
  listImages: { request: ListImagesRequest; response: ListImagesResponse };
  imageStatus: { request: ImageStatusRequest; response: ImageStatusResponse };
  pullImage: { request: PullImageRequest; response: PullImageResponse };
  removeImage: { request: RemoveImageRequest; response: RemoveImageResponse };
  imageFsInfo: { request: ImageFsInfoRequest; response: ImageFsInfoResponse };
}
