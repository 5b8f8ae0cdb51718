// Asks a CSI driver behind a socket for volumes, so many at a time and for so long, as a provisioner does: each for
// the node that its pod is to run on, and again until there is one. Prints one JSON object of figures.
//
// Usage: node load.ts SOCKET SECONDS AT_ONCE DRIVES
import { CsiClient, GrpcError } from '@windlass/csi';
import { LABELS } from '@windlass/directpv';
import { nodeOf } from './fill.ts';

const [socketPath = '', seconds = '', atOnce = '', drives = ''] = process.argv.slice(2);
const DEADLINE_MS = 60_000;
const SIZE = 2 ** 26;

await using csi = new CsiClient({ socketPath, timeoutMs: DEADLINE_MS });
const latencies: number[] = [];
let made = 0;
let failures = 0;

async function createVolume(node: string): Promise<void> {
  const segments = { [LABELS.node]: node };
  const name = `pvc-${crypto.randomUUID()}`;
  const started = performance.now();
  for (;;) {
    try {
      await csi.createVolume({
        name,
        capacityRange: { requiredBytes: SIZE },
        volumeCapabilities: [{ mount: { fsType: 'xfs' }, accessMode: { mode: 'SINGLE_NODE_WRITER' } }],
        accessibilityRequirements: { requisite: [{ segments }], preferred: [{ segments }] },
      });
      made++;
      latencies.push(performance.now() - started);
      return;
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error;
      if (failures++ === 0) console.error(`bench: a first call failed: ${error.code} ${error.message}`);
      if (performance.now() - started < DEADLINE_MS) continue;
      // It took at least so long; a caller would have given up.
      latencies.push(performance.now() - started);
      return;
    }
  }
}

async function ask(untilMs: number): Promise<void> {
  const worker = async (): Promise<void> => {
    while (performance.now() < untilMs)
      await createVolume(nodeOf(Math.floor(Math.random() * Number(drives))));
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, worker));
}

// Connections and code are warm before anything counts.
await ask(performance.now() + 1000);
latencies.length = 0;
made = 0;
failures = 0;
const started = performance.now();
await ask(started + Number(seconds) * 1000);
const passed = (performance.now() - started) / 1000;
latencies.sort((a, b) => a - b);
const at = (part: number): number => latencies[Math.ceil(latencies.length * part) - 1] ?? Number.NaN;
console.log(
  JSON.stringify({
    rate: made / passed,
    p50: at(0.5),
    p99: at(0.99),
    failures,
    made,
  }),
);
