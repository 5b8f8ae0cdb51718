// Generated from k8s.io/cri-api v0.36.3 by `npm run generate`. Do not edit.

export type CgroupDriver =
  | 'SYSTEMD'
  | 'CGROUPFS';

export type ContainerState =
  | 'CONTAINER_CREATED'
  | 'CONTAINER_RUNNING'
  | 'CONTAINER_EXITED'
  | 'CONTAINER_UNKNOWN';

export type MetricType =
  | 'COUNTER'
  | 'GAUGE';

export type MountPropagation =
  | 'PROPAGATION_PRIVATE'
  | 'PROPAGATION_HOST_TO_CONTAINER'
  | 'PROPAGATION_BIDIRECTIONAL';

export type NamespaceMode =
  | 'POD'
  | 'CONTAINER'
  | 'NODE'
  | 'TARGET';

export type PodSandboxState =
  | 'SANDBOX_READY'
  | 'SANDBOX_NOTREADY';

export type Protocol =
  | 'TCP'
  | 'UDP'
  | 'SCTP';

export type SecurityProfileProfileType =
  | 'RuntimeDefault'
  | 'Unconfined'
  | 'Localhost';

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

export type SupplementalGroupsPolicy =
  | 'Merge'
  | 'Strict';

export interface AttachRequest {
  readonly containerId: string;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

export interface AttachResponse {
  readonly url: string;
}

export interface AuthConfig {
  readonly username: string;
  readonly password: string;
  readonly auth: string;
  readonly serverAddress: string;
  readonly identityToken: string;
  readonly registryToken: string;
}

export interface CDIDevice {
  readonly name: string;
}

export interface Capability {
  readonly addCapabilities: readonly string[];
  readonly dropCapabilities: readonly string[];
  readonly addAmbientCapabilities: readonly string[];
}

export interface CheckpointContainerRequest {
  readonly containerId: string;
  readonly location: string;
  readonly timeout: number;
}

export type CheckpointContainerResponse = Readonly<Record<never, never>>;

export interface Container {
  readonly id: string;
  readonly podSandboxId: string;
  readonly metadata?: ContainerMetadata | undefined;
  readonly image?: ImageSpec | undefined;
  readonly imageRef: string;
  readonly state: ContainerState;
  readonly createdAt: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly imageId: string;
}

export interface ContainerAttributes {
  readonly id: string;
  readonly metadata?: ContainerMetadata | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface ContainerConfig {
  readonly metadata?: ContainerMetadata | undefined;
  readonly image?: ImageSpec | undefined;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly workingDir: string;
  readonly envs: readonly KeyValue[];
  readonly mounts: readonly Mount[];
  readonly devices: readonly Device[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly logPath: string;
  readonly stdin: boolean;
  readonly stdinOnce: boolean;
  readonly tty: boolean;
  readonly linux?: LinuxContainerConfig | undefined;
  readonly windows?: WindowsContainerConfig | undefined;
  readonly CDIDevices: readonly CDIDevice[];
  readonly stopSignal: Signal;
}

export interface ContainerFilter {
  readonly id: string;
  readonly state?: ContainerStateValue | undefined;
  readonly podSandboxId: string;
  readonly labelSelector: Readonly<Record<string, string>>;
}

export interface ContainerMetadata {
  readonly name: string;
  readonly attempt: number;
}

export interface ContainerMetrics {
  readonly containerId: string;
  readonly metrics: readonly Metric[];
}

export interface ContainerResources {
  readonly linux?: LinuxContainerResources | undefined;
  readonly windows?: WindowsContainerResources | undefined;
}

export interface ContainerStateValue {
  readonly state: ContainerState;
}

export interface ContainerStats {
  readonly attributes?: ContainerAttributes | undefined;
  readonly cpu?: CpuUsage | undefined;
  readonly memory?: MemoryUsage | undefined;
  readonly writableLayer?: FilesystemUsage | undefined;
  readonly swap?: SwapUsage | undefined;
  readonly io?: IoUsage | undefined;
}

export interface ContainerStatsFilter {
  readonly id: string;
  readonly podSandboxId: string;
  readonly labelSelector: Readonly<Record<string, string>>;
}

export interface ContainerStatsRequest {
  readonly containerId: string;
}

export interface ContainerStatsResponse {
  readonly stats?: ContainerStats | undefined;
}

export interface ContainerStatus {
  readonly id: string;
  readonly metadata?: ContainerMetadata | undefined;
  readonly state: ContainerState;
  readonly createdAt: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly exitCode: number;
  readonly image?: ImageSpec | undefined;
  readonly imageRef: string;
  readonly reason: string;
  readonly message: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly logPath: string;
  readonly resources?: ContainerResources | undefined;
  readonly imageId: string;
  readonly user?: ContainerUser | undefined;
  readonly stopSignal: Signal;
}

export interface ContainerStatusRequest {
  readonly containerId: string;
  readonly verbose: boolean;
}

export interface ContainerStatusResponse {
  readonly status?: ContainerStatus | undefined;
  readonly info: Readonly<Record<string, string>>;
}

export interface ContainerUser {
  readonly linux?: LinuxContainerUser | undefined;
}

export interface CpuUsage {
  readonly timestamp: number;
  readonly usageCoreNanoSeconds?: UInt64Value | undefined;
  readonly usageNanoCores?: UInt64Value | undefined;
  readonly psi?: PsiStats | undefined;
}

export interface CreateContainerRequest {
  readonly podSandboxId: string;
  readonly config?: ContainerConfig | undefined;
  readonly sandboxConfig?: PodSandboxConfig | undefined;
}

export interface CreateContainerResponse {
  readonly containerId: string;
}

export interface DNSConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

export interface Device {
  readonly containerPath: string;
  readonly hostPath: string;
  readonly permissions: string;
}

export interface ExecRequest {
  readonly containerId: string;
  readonly cmd: readonly string[];
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

export interface ExecResponse {
  readonly url: string;
}

export interface ExecSyncRequest {
  readonly containerId: string;
  readonly cmd: readonly string[];
  readonly timeout: number;
}

export interface ExecSyncResponse {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface FilesystemIdentifier {
  readonly mountpoint: string;
}

export interface FilesystemUsage {
  readonly timestamp: number;
  readonly fsId?: FilesystemIdentifier | undefined;
  readonly usedBytes?: UInt64Value | undefined;
  readonly inodesUsed?: UInt64Value | undefined;
}

export interface HugepageLimit {
  readonly pageSize: string;
  readonly limit: number;
}

export interface IDMapping {
  readonly hostId: number;
  readonly containerId: number;
  readonly length: number;
}

export interface Image {
  readonly id: string;
  readonly repoTags: readonly string[];
  readonly repoDigests: readonly string[];
  readonly size: number;
  readonly uid?: Int64Value | undefined;
  readonly username: string;
  readonly spec?: ImageSpec | undefined;
  readonly pinned: boolean;
}

export interface ImageFilter {
  readonly image?: ImageSpec | undefined;
}

export type ImageFsInfoRequest = Readonly<Record<never, never>>;

export interface ImageFsInfoResponse {
  readonly imageFilesystems: readonly FilesystemUsage[];
  readonly containerFilesystems: readonly FilesystemUsage[];
}

export interface ImageSpec {
  readonly image: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly userSpecifiedImage: string;
  readonly runtimeHandler: string;
  readonly imageRef: string;
}

export interface ImageStatusRequest {
  readonly image?: ImageSpec | undefined;
  readonly verbose: boolean;
}

export interface ImageStatusResponse {
  readonly image?: Image | undefined;
  readonly info: Readonly<Record<string, string>>;
}

export interface Int64Value {
  readonly value: number;
}

export interface IoUsage {
  readonly timestamp: number;
  readonly psi?: PsiStats | undefined;
}

export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

export interface LinuxContainerConfig {
  readonly resources?: LinuxContainerResources | undefined;
  readonly securityContext?: LinuxContainerSecurityContext | undefined;
}

export interface LinuxContainerResources {
  readonly cpuPeriod: number;
  readonly cpuQuota: number;
  readonly cpuShares: number;
  readonly memoryLimitInBytes: number;
  readonly oomScoreAdj: number;
  readonly cpusetCpus: string;
  readonly cpusetMems: string;
  readonly hugepageLimits: readonly HugepageLimit[];
  readonly unified: Readonly<Record<string, string>>;
  readonly memorySwapLimitInBytes: number;
}

export interface LinuxContainerSecurityContext {
  readonly capabilities?: Capability | undefined;
  readonly privileged: boolean;
  readonly namespaceOptions?: NamespaceOption | undefined;
  readonly selinuxOptions?: SELinuxOption | undefined;
  readonly runAsUser?: Int64Value | undefined;
  readonly runAsGroup?: Int64Value | undefined;
  readonly runAsUsername: string;
  readonly readonlyRootfs: boolean;
  readonly supplementalGroups: readonly number[];
  readonly supplementalGroupsPolicy: SupplementalGroupsPolicy;
  readonly noNewPrivs: boolean;
  readonly maskedPaths: readonly string[];
  readonly readonlyPaths: readonly string[];
  readonly seccomp?: SecurityProfile | undefined;
  readonly apparmor?: SecurityProfile | undefined;
  readonly apparmorProfile: string;
  readonly seccompProfilePath: string;
}

export interface LinuxContainerUser {
  readonly uid: number;
  readonly gid: number;
  readonly supplementalGroups: readonly number[];
}

export interface LinuxPodSandboxConfig {
  readonly cgroupParent: string;
  readonly securityContext?: LinuxSandboxSecurityContext | undefined;
  readonly sysctls: Readonly<Record<string, string>>;
  readonly overhead?: LinuxContainerResources | undefined;
  readonly resources?: LinuxContainerResources | undefined;
}

export interface LinuxPodSandboxStats {
  readonly cpu?: CpuUsage | undefined;
  readonly memory?: MemoryUsage | undefined;
  readonly network?: NetworkUsage | undefined;
  readonly process?: ProcessUsage | undefined;
  readonly containers: readonly ContainerStats[];
  readonly io?: IoUsage | undefined;
}

export interface LinuxPodSandboxStatus {
  readonly namespaces?: Namespace | undefined;
}

export interface LinuxRuntimeConfiguration {
  readonly cgroupDriver: CgroupDriver;
}

export interface LinuxSandboxSecurityContext {
  readonly namespaceOptions?: NamespaceOption | undefined;
  readonly selinuxOptions?: SELinuxOption | undefined;
  readonly runAsUser?: Int64Value | undefined;
  readonly runAsGroup?: Int64Value | undefined;
  readonly readonlyRootfs: boolean;
  readonly supplementalGroups: readonly number[];
  readonly supplementalGroupsPolicy: SupplementalGroupsPolicy;
  readonly privileged: boolean;
  readonly seccomp?: SecurityProfile | undefined;
  readonly apparmor?: SecurityProfile | undefined;
  readonly seccompProfilePath: string;
}

export interface ListContainerStatsRequest {
  readonly filter?: ContainerStatsFilter | undefined;
}

export interface ListContainerStatsResponse {
  readonly stats: readonly ContainerStats[];
}

export interface ListContainersRequest {
  readonly filter?: ContainerFilter | undefined;
}

export interface ListContainersResponse {
  readonly containers: readonly Container[];
}

export interface ListImagesRequest {
  readonly filter?: ImageFilter | undefined;
}

export interface ListImagesResponse {
  readonly images: readonly Image[];
}

export type ListMetricDescriptorsRequest = Readonly<Record<never, never>>;

export interface ListMetricDescriptorsResponse {
  readonly descriptors: readonly MetricDescriptor[];
}

export type ListPodSandboxMetricsRequest = Readonly<Record<never, never>>;

export interface ListPodSandboxMetricsResponse {
  readonly podMetrics: readonly PodSandboxMetrics[];
}

export interface ListPodSandboxRequest {
  readonly filter?: PodSandboxFilter | undefined;
}

export interface ListPodSandboxResponse {
  readonly items: readonly PodSandbox[];
}

export interface ListPodSandboxStatsRequest {
  readonly filter?: PodSandboxStatsFilter | undefined;
}

export interface ListPodSandboxStatsResponse {
  readonly stats: readonly PodSandboxStats[];
}

export interface MemoryUsage {
  readonly timestamp: number;
  readonly workingSetBytes?: UInt64Value | undefined;
  readonly availableBytes?: UInt64Value | undefined;
  readonly usageBytes?: UInt64Value | undefined;
  readonly rssBytes?: UInt64Value | undefined;
  readonly pageFaults?: UInt64Value | undefined;
  readonly majorPageFaults?: UInt64Value | undefined;
  readonly psi?: PsiStats | undefined;
}

export interface Metric {
  readonly name: string;
  readonly timestamp: number;
  readonly metricType: MetricType;
  readonly labelValues: readonly string[];
  readonly value?: UInt64Value | undefined;
}

export interface MetricDescriptor {
  readonly name: string;
  readonly help: string;
  readonly labelKeys: readonly string[];
}

export interface Mount {
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readonly: boolean;
  readonly selinuxRelabel: boolean;
  readonly propagation: MountPropagation;
  readonly uidMappings: readonly IDMapping[];
  readonly gidMappings: readonly IDMapping[];
  readonly recursiveReadOnly: boolean;
  readonly image?: ImageSpec | undefined;
  readonly imageSubPath: string;
}

export interface Namespace {
  readonly options?: NamespaceOption | undefined;
}

export interface NamespaceOption {
  readonly network: NamespaceMode;
  readonly pid: NamespaceMode;
  readonly ipc: NamespaceMode;
  readonly targetId: string;
  readonly usernsOptions?: UserNamespace | undefined;
}

export interface NetworkConfig {
  readonly podCidr: string;
}

export interface NetworkInterfaceUsage {
  readonly name: string;
  readonly rxBytes?: UInt64Value | undefined;
  readonly rxErrors?: UInt64Value | undefined;
  readonly txBytes?: UInt64Value | undefined;
  readonly txErrors?: UInt64Value | undefined;
}

export interface NetworkUsage {
  readonly timestamp: number;
  readonly defaultInterface?: NetworkInterfaceUsage | undefined;
  readonly interfaces: readonly NetworkInterfaceUsage[];
}

export interface PodIP {
  readonly ip: string;
}

export interface PodSandbox {
  readonly id: string;
  readonly metadata?: PodSandboxMetadata | undefined;
  readonly state: PodSandboxState;
  readonly createdAt: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly runtimeHandler: string;
}

export interface PodSandboxAttributes {
  readonly id: string;
  readonly metadata?: PodSandboxMetadata | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface PodSandboxConfig {
  readonly metadata?: PodSandboxMetadata | undefined;
  readonly hostname: string;
  readonly logDirectory: string;
  readonly dnsConfig?: DNSConfig | undefined;
  readonly portMappings: readonly PortMapping[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly linux?: LinuxPodSandboxConfig | undefined;
  readonly windows?: WindowsPodSandboxConfig | undefined;
}

export interface PodSandboxFilter {
  readonly id: string;
  readonly state?: PodSandboxStateValue | undefined;
  readonly labelSelector: Readonly<Record<string, string>>;
}

export interface PodSandboxMetadata {
  readonly name: string;
  readonly uid: string;
  readonly namespace: string;
  readonly attempt: number;
}

export interface PodSandboxMetrics {
  readonly podSandboxId: string;
  readonly metrics: readonly Metric[];
  readonly containerMetrics: readonly ContainerMetrics[];
}

export interface PodSandboxNetworkStatus {
  readonly ip: string;
  readonly additionalIps: readonly PodIP[];
}

export interface PodSandboxStateValue {
  readonly state: PodSandboxState;
}

export interface PodSandboxStats {
  readonly attributes?: PodSandboxAttributes | undefined;
  readonly linux?: LinuxPodSandboxStats | undefined;
  readonly windows?: WindowsPodSandboxStats | undefined;
}

export interface PodSandboxStatsFilter {
  readonly id: string;
  readonly labelSelector: Readonly<Record<string, string>>;
}

export interface PodSandboxStatsRequest {
  readonly podSandboxId: string;
}

export interface PodSandboxStatsResponse {
  readonly stats?: PodSandboxStats | undefined;
}

export interface PodSandboxStatus {
  readonly id: string;
  readonly metadata?: PodSandboxMetadata | undefined;
  readonly state: PodSandboxState;
  readonly createdAt: number;
  readonly network?: PodSandboxNetworkStatus | undefined;
  readonly linux?: LinuxPodSandboxStatus | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly runtimeHandler: string;
}

export interface PodSandboxStatusRequest {
  readonly podSandboxId: string;
  readonly verbose: boolean;
}

export interface PodSandboxStatusResponse {
  readonly status?: PodSandboxStatus | undefined;
  readonly info: Readonly<Record<string, string>>;
  readonly containersStatuses: readonly ContainerStatus[];
  readonly timestamp: number;
}

export interface PortForwardRequest {
  readonly podSandboxId: string;
  readonly port: readonly number[];
}

export interface PortForwardResponse {
  readonly url: string;
}

export interface PortMapping {
  readonly protocol: Protocol;
  readonly containerPort: number;
  readonly hostPort: number;
  readonly hostIp: string;
}

export interface ProcessUsage {
  readonly timestamp: number;
  readonly processCount?: UInt64Value | undefined;
}

export interface PsiData {
  readonly Total: number;
  readonly Avg10: number;
  readonly Avg60: number;
  readonly Avg300: number;
}

export interface PsiStats {
  readonly Full?: PsiData | undefined;
  readonly Some?: PsiData | undefined;
}

export interface PullImageRequest {
  readonly image?: ImageSpec | undefined;
  readonly auth?: AuthConfig | undefined;
  readonly sandboxConfig?: PodSandboxConfig | undefined;
}

export interface PullImageResponse {
  readonly imageRef: string;
}

export interface RemoveContainerRequest {
  readonly containerId: string;
}

export type RemoveContainerResponse = Readonly<Record<never, never>>;

export interface RemoveImageRequest {
  readonly image?: ImageSpec | undefined;
}

export type RemoveImageResponse = Readonly<Record<never, never>>;

export interface RemovePodSandboxRequest {
  readonly podSandboxId: string;
}

export type RemovePodSandboxResponse = Readonly<Record<never, never>>;

export interface ReopenContainerLogRequest {
  readonly containerId: string;
}

export type ReopenContainerLogResponse = Readonly<Record<never, never>>;

export interface RunPodSandboxRequest {
  readonly config?: PodSandboxConfig | undefined;
  readonly runtimeHandler: string;
}

export interface RunPodSandboxResponse {
  readonly podSandboxId: string;
}

export interface RuntimeCondition {
  readonly type: string;
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

export interface RuntimeConfig {
  readonly networkConfig?: NetworkConfig | undefined;
}

export type RuntimeConfigRequest = Readonly<Record<never, never>>;

export interface RuntimeConfigResponse {
  readonly linux?: LinuxRuntimeConfiguration | undefined;
}

export interface RuntimeFeatures {
  readonly supplementalGroupsPolicy: boolean;
  readonly userNamespacesHostNetwork: boolean;
}

export interface RuntimeHandler {
  readonly name: string;
  readonly features?: RuntimeHandlerFeatures | undefined;
}

export interface RuntimeHandlerFeatures {
  readonly recursiveReadOnlyMounts: boolean;
  readonly userNamespaces: boolean;
}

export interface RuntimeStatus {
  readonly conditions: readonly RuntimeCondition[];
}

export interface SELinuxOption {
  readonly user: string;
  readonly role: string;
  readonly type: string;
  readonly level: string;
}

export interface SecurityProfile {
  readonly profileType: SecurityProfileProfileType;
  readonly localhostRef: string;
}

export interface StartContainerRequest {
  readonly containerId: string;
}

export type StartContainerResponse = Readonly<Record<never, never>>;

export interface StatusRequest {
  readonly verbose: boolean;
}

export interface StatusResponse {
  readonly status?: RuntimeStatus | undefined;
  readonly info: Readonly<Record<string, string>>;
  readonly runtimeHandlers: readonly RuntimeHandler[];
  readonly features?: RuntimeFeatures | undefined;
}

export interface StopContainerRequest {
  readonly containerId: string;
  readonly timeout: number;
}

export type StopContainerResponse = Readonly<Record<never, never>>;

export interface StopPodSandboxRequest {
  readonly podSandboxId: string;
}

export type StopPodSandboxResponse = Readonly<Record<never, never>>;

export interface SwapUsage {
  readonly timestamp: number;
  readonly swapAvailableBytes?: UInt64Value | undefined;
  readonly swapUsageBytes?: UInt64Value | undefined;
}

export interface UInt64Value {
  readonly value: number;
}

export interface UpdateContainerResourcesRequest {
  readonly containerId: string;
  readonly linux?: LinuxContainerResources | undefined;
  readonly windows?: WindowsContainerResources | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

export type UpdateContainerResourcesResponse = Readonly<Record<never, never>>;

export interface UpdatePodSandboxResourcesRequest {
  readonly podSandboxId: string;
  readonly overhead?: LinuxContainerResources | undefined;
  readonly resources?: LinuxContainerResources | undefined;
}

export type UpdatePodSandboxResourcesResponse = Readonly<Record<never, never>>;

export interface UpdateRuntimeConfigRequest {
  readonly runtimeConfig?: RuntimeConfig | undefined;
}

export type UpdateRuntimeConfigResponse = Readonly<Record<never, never>>;

export interface UserNamespace {
  readonly mode: NamespaceMode;
  readonly uids: readonly IDMapping[];
  readonly gids: readonly IDMapping[];
}

export interface VersionRequest {
  readonly version: string;
}

export interface VersionResponse {
  readonly version: string;
  readonly runtimeName: string;
  readonly runtimeVersion: string;
  readonly runtimeApiVersion: string;
}

export interface WindowsContainerConfig {
  readonly resources?: WindowsContainerResources | undefined;
  readonly securityContext?: WindowsContainerSecurityContext | undefined;
}

export interface WindowsContainerResources {
  readonly cpuShares: number;
  readonly cpuCount: number;
  readonly cpuMaximum: number;
  readonly memoryLimitInBytes: number;
  readonly rootfsSizeInBytes: number;
  readonly affinityCpus: readonly WindowsCpuGroupAffinity[];
}

export interface WindowsContainerSecurityContext {
  readonly runAsUsername: string;
  readonly credentialSpec: string;
  readonly hostProcess: boolean;
}

export interface WindowsContainerStats {
  readonly attributes?: ContainerAttributes | undefined;
  readonly cpu?: WindowsCpuUsage | undefined;
  readonly memory?: WindowsMemoryUsage | undefined;
  readonly writableLayer?: WindowsFilesystemUsage | undefined;
}

export interface WindowsCpuGroupAffinity {
  readonly cpuMask: number;
  readonly cpuGroup: number;
}

export interface WindowsCpuUsage {
  readonly timestamp: number;
  readonly usageCoreNanoSeconds?: UInt64Value | undefined;
  readonly usageNanoCores?: UInt64Value | undefined;
}

export interface WindowsFilesystemUsage {
  readonly timestamp: number;
  readonly fsId?: FilesystemIdentifier | undefined;
  readonly usedBytes?: UInt64Value | undefined;
}

export interface WindowsMemoryUsage {
  readonly timestamp: number;
  readonly workingSetBytes?: UInt64Value | undefined;
  readonly availableBytes?: UInt64Value | undefined;
  readonly pageFaults?: UInt64Value | undefined;
  readonly commitMemoryBytes?: UInt64Value | undefined;
}

export interface WindowsNamespaceOption {
  readonly network: NamespaceMode;
}

export interface WindowsNetworkInterfaceUsage {
  readonly name: string;
  readonly rxBytes?: UInt64Value | undefined;
  readonly rxPacketsDropped?: UInt64Value | undefined;
  readonly txBytes?: UInt64Value | undefined;
  readonly txPacketsDropped?: UInt64Value | undefined;
}

export interface WindowsNetworkUsage {
  readonly timestamp: number;
  readonly defaultInterface?: WindowsNetworkInterfaceUsage | undefined;
  readonly interfaces: readonly WindowsNetworkInterfaceUsage[];
}

export interface WindowsPodSandboxConfig {
  readonly securityContext?: WindowsSandboxSecurityContext | undefined;
}

export interface WindowsPodSandboxStats {
  readonly cpu?: WindowsCpuUsage | undefined;
  readonly memory?: WindowsMemoryUsage | undefined;
  readonly network?: WindowsNetworkUsage | undefined;
  readonly process?: WindowsProcessUsage | undefined;
  readonly containers: readonly WindowsContainerStats[];
}

export interface WindowsProcessUsage {
  readonly timestamp: number;
  readonly processCount?: UInt64Value | undefined;
}

export interface WindowsSandboxSecurityContext {
  readonly runAsUsername: string;
  readonly credentialSpec: string;
  readonly hostProcess: boolean;
  readonly namespaceOptions?: WindowsNamespaceOption | undefined;
}

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

export interface ImageServiceMethods {
  listImages: { request: ListImagesRequest; response: ListImagesResponse };
  imageStatus: { request: ImageStatusRequest; response: ImageStatusResponse };
  pullImage: { request: PullImageRequest; response: PullImageResponse };
  removeImage: { request: RemoveImageRequest; response: RemoveImageResponse };
  imageFsInfo: { request: ImageFsInfoRequest; response: ImageFsInfoResponse };
}
