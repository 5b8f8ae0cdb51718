// Our CSI controller beside the original driver's: the same kube-apiserver, each behind its socket, both asked by the
// same client. The original is a program that the machine has: DIRECTPV_PROGRAM names it.

import { freePorts } from '../tests/real/harness/free-ports.ts';
import { MissingNeedError } from '../tests/real/harness/needs.ts';
import { startRealCluster } from '../tests/real/harness/real-cluster.ts';
import { type Driver, startDriver } from './directpv/driver.ts';
import { fill } from './directpv/fill.ts';
import type { Bar, Bench, Figures, MeasureOptions, Side, Suite } from './lib/bench.ts';
import { figuresOfScript } from './lib/child.ts';

const LOAD = new URL('./directpv/load.ts', import.meta.url);
const FLAT = new URL('./ours/directpv-flat.ts', import.meta.url);
const WINDLASS = new URL('../packages/cli/src/windlass.ts', import.meta.url).pathname;

const STOCK = { drives: 1000, volumes: 10 };
const QUICK_STOCK = { drives: 50, volumes: 2 };
const AT_ONCE = 16;
const SECONDS = 10;

type Start = (kubeconfigPath: string) => Promise<Driver>;

const startOurs: Start = async (kubeconfigPath) => {
  const [readiness = 0, metrics = 0] = await freePorts(2);
  return startDriver(process.execPath, (socketPath) => [
    WINDLASS,
    'directpv',
    'controller',
    `--kubeconfig=${kubeconfigPath}`,
    `--csi-endpoint=unix://${socketPath}`,
    '--bind-address=127.0.0.1',
    `--readiness-port=${readiness}`,
    `--metrics-port=${metrics}`,
    '--log-level=error',
  ]);
};

const startOriginal =
  (program: string): Start =>
  async (kubeconfigPath) => {
    const [readiness = 0] = await freePorts(1);
    return startDriver(program, (socketPath) => [
      'controller',
      `--kubeconfig=${kubeconfigPath}`,
      '--identity=directpv-min-io',
      `--csi-endpoint=unix://${socketPath}`,
      '--kube-node-name=node-0',
      `--readiness-port=${readiness}`,
    ]);
  };

function side(name: string, start: Start, kubeconfigPath: string, figure: 'rate' | 'p99'): Side {
  return {
    name,
    async measure({ quick }: MeasureOptions): Promise<Figures> {
      // One at a time: what the other would do meanwhile is not part of it.
      await using driver = await start(kubeconfigPath);
      const { drives } = quick ? QUICK_STOCK : STOCK;
      const args = [driver.socketPath, quick ? 1 : SECONDS, AT_ONCE, drives].map(String);
      const figures = await figuresOfScript(LOAD, args);
      return { [figure]: figures[figure] ?? Number.NaN };
    },
  };
}

const atLeast = (ratio: number): Bar => ({ kind: 'ratio', atLeast: ratio });

const flat: Bench = {
  name: 'directpv/flat',
  unit: 'times the cost of a call among 100 drives, among 5,000',
  better: 'lower',
  bar: { kind: 'ours', below: 1.3 },
  ours: {
    name: 'windlass',
    measure: ({ quick }) => figuresOfScript(FLAT, quick ? ['20', '200', '100'] : ['100', '5000', '400']),
  },
};

export const directpv: Suite = {
  name: 'directpv',
  async prepare({ log, quick, isWanted }) {
    const skips: string[] = [];
    const stack = new AsyncDisposableStack();
    const benches: Bench[] = [flat];
    const done = { benches, skips, [Symbol.asyncDispose]: () => stack.disposeAsync() };
    if (!['directpv/create', 'directpv/create-p99'].some(isWanted)) return done;
    const program = process.env['DIRECTPV_PROGRAM'];
    if (program === undefined)
      skips.push('directpv has no peer: DIRECTPV_PROGRAM names no program of the original driver');
    try {
      const cluster = stack.use(await startRealCluster({ log }));
      const stock = quick ? QUICK_STOCK : STOCK;
      log(`making ${stock.drives} drives with ${stock.volumes} volumes each`);
      await fill(cluster.kubeconfigPath, stock);
      const make = (what: string, figure: 'rate' | 'p99'): Omit<Bench, 'unit' | 'better'> => ({
        name: `directpv/${what}`,
        bar: atLeast(5),
        ours: side('windlass', startOurs, cluster.kubeconfigPath, figure),
        ...(program !== undefined && {
          peer: side('minio/directpv', startOriginal(program), cluster.kubeconfigPath, figure),
        }),
      });
      benches.push({ ...make('create', 'rate'), unit: 'volumes a second', better: 'higher' });
      benches.push({ ...make('create-p99', 'p99'), unit: 'ms', better: 'lower' });
    } catch (error) {
      if (!(error instanceof MissingNeedError)) throw error;
      skips.push(`directpv creates nothing: ${error.message}`);
    }
    return done;
  },
};
