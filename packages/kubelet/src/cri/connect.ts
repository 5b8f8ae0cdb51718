import { type Clock, WindlassError } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import { CriClient } from './cri-client.ts';
import type { VersionResponse } from './generated/cri.ts';
import { RuntimeHealth } from './runtime-health.ts';

/** There is no container runtime where one was looked for. The message says what to do. */
export class RuntimeEndpointError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'RUNTIME_ENDPOINT', cause });
  }
}

/** Where containerd listens unless it is told otherwise. */
export const CONTAINERD_ENDPOINT = 'unix:///run/containerd/containerd.sock';
const ANSWER_MS = 10_000;

/** @throws RuntimeEndpointError when it is not the address of a unix socket */
export function socketOf(endpoint: string): string {
  const path = endpoint.startsWith('unix://') ? endpoint.slice('unix://'.length) : endpoint;
  if (path.startsWith('/')) return path;
  throw new RuntimeEndpointError(
    `the runtime endpoint must be unix:// and the absolute path of a socket, such as ${CONTAINERD_ENDPOINT}, but it is "${endpoint}"`,
  );
}

/**
 * Connects to a container runtime, and asks who it is.
 * @throws RuntimeEndpointError with one sentence that says what is there instead
 */
export async function connectRuntime(
  endpoint: string,
  clock: Clock,
): Promise<{ readonly client: CriClient; readonly version: VersionResponse }> {
  const socketPath = socketOf(endpoint);
  const client = new CriClient({ socketPath, clock });
  try {
    return { client, version: await client.version({}, { timeoutMs: ANSWER_MS }) };
  } catch (error) {
    await client.close();
    throw new RuntimeEndpointError(explain(socketPath, error), error);
  }
}

/** What was found where a container runtime was looked for. */
export interface FoundRuntime {
  /** `containerd 1.6.20` */
  readonly name: string;
  /** Why it cannot run pods now; undefined: it can. */
  readonly problem: string | undefined;
}

/**
 * Looks whether this process can run pods in a container runtime.
 * @throws RuntimeEndpointError when it cannot
 */
export async function findRuntime(endpoint: string, clock: Clock): Promise<FoundRuntime> {
  const { client, version } = await connectRuntime(endpoint, clock);
  using health = new RuntimeHealth({ client, clock, endpoint });
  try {
    if (process.getuid?.() !== 0)
      throw new RuntimeEndpointError(
        'volumes of containers can be mounted only by root, and this process is not',
      );
    await health.look();
    return { name: `${version.runtimeName} ${version.runtimeVersion}`, problem: health.problem };
  } finally {
    await client.close();
  }
}

function explain(socketPath: string, error: unknown): string {
  const { code, message } = error instanceof GrpcError ? error : { code: 'UNKNOWN', message: String(error) };
  if (/ENOENT/.test(message))
    return `no container runtime listens on ${socketPath}: there is no such socket; start containerd, or name the socket with --runtime-endpoint`;
  if (/ECONNREFUSED/.test(message))
    return `no container runtime listens on ${socketPath}: nobody answers there; start containerd, or name the socket with --runtime-endpoint`;
  if (/EACCES|EPERM/.test(message))
    return `the container runtime at ${socketPath} cannot be reached: this user may not open the socket; run as root`;
  if (code === 'UNIMPLEMENTED')
    return `what listens on ${socketPath} speaks gRPC, but no container runtime interface v1; for containerd take "cri" off disabled_plugins in its configuration`;
  if (code === 'DEADLINE_EXCEEDED')
    return `what listens on ${socketPath} does not answer as a container runtime does; name the runtime's socket with --runtime-endpoint`;
  return `what listens on ${socketPath} is no container runtime (${message}); name the runtime's socket with --runtime-endpoint`;
}
