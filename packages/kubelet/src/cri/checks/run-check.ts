// What a container is asked, and told, from outside: probes and hooks.
import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, LifecycleHandler, Pod, Probe } from '@windlass/apimachinery/api/core/v1';
import { type Clock, sleep, withDeadline } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import type { ProbeOutcome } from '../../runtime/runtime.ts';
import type { CriClient } from '../cri-client.ts';
import { grpcCheck } from './grpc-check.ts';
import { httpCheck } from './http-check.ts';
import { httpTarget, portOf } from './target.ts';
import { tcpCheck } from './tcp-check.ts';

/** Who is asked. */
export interface Checked {
  readonly client: CriClient;
  readonly clock: Clock;
  readonly id: string;
  readonly pod: Cached<Pod>;
  readonly container: DeepReadonly<Container>;
  /** The pod's, or the node's for a pod in its network. */
  readonly address: string;
}

/** As much of what a command prints is shown. */
const MAX_OUTPUT = 10 * 1024;
const DEFAULT_TIMEOUT_S = 1;
const PROBE_AGENT = 'kube-probe/1.36';
const HOOK_AGENT = 'kube-lifecycle/1.36';
/** Beyond the command's own limit, which the runtime keeps. */
const ANSWER_MS = 5000;

/** Never rejects: what goes wrong is the outcome. */
export async function runProbe(checked: Checked, probe: DeepReadonly<Probe>): Promise<ProbeOutcome> {
  const { clock, container, address } = checked;
  const timeoutMs = (probe.timeoutSeconds ?? DEFAULT_TIMEOUT_S) * 1000;
  using deadline = withDeadline(clock, timeoutMs, 'the probe');
  const { signal } = deadline;
  try {
    const { exec, httpGet, tcpSocket, grpc } = probe;
    if (exec !== undefined) return await runCommand(checked, exec.command ?? [], timeoutMs);
    if (httpGet !== undefined)
      return await httpCheck(httpTarget(address, container, httpGet, PROBE_AGENT), signal);
    if (tcpSocket !== undefined) {
      const { host = '', port } = tcpSocket;
      return await tcpCheck(host === '' ? address : host, portOf(port, container), signal);
    }
    if (grpc !== undefined) {
      const { port, service } = grpc;
      return await grpcCheck({ host: address, port, service: service ?? '' }, { timeoutMs, signal });
    }
    return { isSuccess: false, output: 'the probe says nothing of how to ask' };
  } catch (error) {
    const output = signal.aborted
      ? `context deadline exceeded (no answer within ${timeoutMs / 1000}s)`
      : error instanceof Error
        ? error.message
        : String(error);
    return { isSuccess: false, output };
  }
}

/** Does what is to be done after a start or before an end. @returns what went wrong; undefined: nothing */
export async function runHook(
  checked: Checked,
  { exec, httpGet, sleep: pause }: DeepReadonly<LifecycleHandler>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { clock, container, address } = checked;
  try {
    if (pause !== undefined) await sleep(clock, pause.seconds * 1000, signal);
    else if (exec !== undefined) {
      const { isSuccess, output = '' } = await runCommand(checked, exec.command ?? [], 0, signal);
      if (!isSuccess) return `Exec lifecycle hook (${(exec.command ?? []).join(' ')}) failed: ${output}`;
    } else if (httpGet !== undefined) {
      const target = httpTarget(address, container, httpGet, HOOK_AGENT);
      const { isSuccess, output } = await httpCheck(target, signal);
      if (!isSuccess) return `HTTP lifecycle hook (${target.path}) failed: ${output}`;
    }
    return undefined;
  } catch (error) {
    if (signal.aborted) return 'the lifecycle hook did not end in time';
    return `the lifecycle hook failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** @param timeoutMs 0: as long as it takes */
async function runCommand(
  { client, id }: Checked,
  command: readonly string[],
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ProbeOutcome> {
  try {
    const { stdout, stderr, exitCode } = await client.execSync(
      { containerId: id, cmd: command, timeout: Math.ceil(timeoutMs / 1000) },
      { timeoutMs: timeoutMs === 0 ? MAX_HOOK_MS : timeoutMs + ANSWER_MS, signal },
    );
    // Bytes are shown in base64.
    const printed = Buffer.concat([Buffer.from(stdout, 'base64'), Buffer.from(stderr, 'base64')]);
    const output = printed.toString('utf8', 0, MAX_OUTPUT);
    return {
      isSuccess: exitCode === 0,
      output: output === '' && exitCode !== 0 ? `exit code ${exitCode}` : output,
    };
  } catch (error) {
    if (!(error instanceof GrpcError) || signal?.aborted === true) throw error;
    if (error.code === 'DEADLINE_EXCEEDED')
      return { isSuccess: false, output: `command timed out after ${timeoutMs / 1000}s` };
    return { isSuccess: false, output: error.message };
  }
}

const MAX_HOOK_MS = 24 * 60 * 60_000;
