import { type RunningCluster, startCluster } from '@windlass/cluster';
import type { Findings, Identity } from './bombard.ts';

/** A cluster to be bombarded, which notes whatever escapes from it into the process. */
export interface FuzzTarget extends AsyncDisposable {
  readonly cluster: RunningCluster;
  readonly port: number;
  readonly identity: Identity;
  readonly findings: Findings;
}

export async function startFuzzTarget(): Promise<FuzzTarget> {
  const findings: Findings = { known: 0, problems: [] };
  const note = (error: unknown): void => void findings.problems.push(error);
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  const cluster = await startCluster({ port: 0 });
  const pem = (name: string): string =>
    Buffer.from(
      new RegExp(`${name}"?: *"?([A-Za-z0-9+/=]+)`).exec(cluster.kubeconfig)?.[1] ?? '',
      'base64',
    ).toString();
  return {
    cluster,
    port: Number(new URL(cluster.server ?? '').port),
    identity: { cert: pem('client-certificate-data'), key: pem('client-key-data') },
    findings,
    async [Symbol.asyncDispose]() {
      await cluster.stop();
      process.off('unhandledRejection', note);
      process.off('uncaughtException', note);
    },
  };
}

/** What is in use after everything that can go has gone. */
export function usedMegabytes(): number {
  // The tests run with --expose-gc.
  for (let pass = 0; pass < 3; pass++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
