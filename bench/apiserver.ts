// Our API server beside kube-apiserver and etcd: the same client and the same load on both.
import { ensureEtcd } from '../tests/real/harness/etcd-program.ts';
import { ensureKubernetesProgram } from '../tests/real/harness/kubernetes-program.ts';
import { type Log, MissingNeedError } from '../tests/real/harness/needs.ts';
import { Contender } from './apiserver/contender.ts';
import { Load } from './apiserver/load.ts';
import { type Run, runs } from './apiserver/rows.ts';
import { type Start, startOurs, startPeer } from './apiserver/servers.ts';
import { installOurs } from './lib/as-installed.ts';
import type { Bench, Prepared, Side, Suite } from './lib/bench.ts';
import { figuresOfScript } from './lib/child.ts';

const IN_PROCESS = new URL('./ours/apiserver-in-process.ts', import.meta.url);
const IN_PROCESS_COUNT = 10_000;
const QUICK_COUNT = 50;

type Unmeasured = Omit<Bench, 'ours' | 'peer'>;

/** @param sides ours first, and the peer's where there is a peer */
function benchOf(bench: Unmeasured, [ours, peer]: readonly (Side | undefined)[]): Bench {
  if (ours === undefined) throw new Error(`nobody is measured by ${bench.name}`);
  return { ...bench, name: `apiserver/${bench.name}`, ours, ...(peer !== undefined && { peer }) };
}

function benchesOf({ scenario, where, rows }: Run, contenders: readonly Contender[]): readonly Bench[] {
  const figures = rows.map(({ figure }) => figure);
  const sides = contenders.map((one) => one.sides(scenario, where, figures));
  return rows.map((row, at) =>
    benchOf(
      row,
      sides.map((own) => own[at]),
    ),
  );
}

const megabytes = { unit: 'MB', better: 'lower', bar: { kind: 'ratio', atLeast: 2.5 } } as const;

/** What concerns a server as a whole. */
function wholeBenches(contenders: readonly Contender[]): readonly Bench[] {
  return [
    benchOf(
      { name: 'ready', unit: 'ms', better: 'lower', bar: { kind: 'ratio', atLeast: 5 } },
      contenders.map((one) => one.side(() => one.ready())),
    ),
    benchOf(
      { name: 'memory', ...megabytes },
      contenders.map((one) => one.side((options) => one.memory(options))),
    ),
  ];
}

/** The same server without sockets. Nobody else can be called so, hence no peer. */
const inProcess: readonly Bench[] = [
  { what: 'write', backend: 'sqlite', name: 'in-process-durable-writes' },
  { what: 'write', backend: 'memory', name: 'in-process-writes' },
  { what: 'read', backend: 'sqlite', name: 'in-process-reads' },
].map(({ what, backend, name }) => ({
  name: `apiserver/${name}`,
  unit: `${what}s a second`,
  better: 'higher',
  ours: {
    name: 'windlass',
    measure: ({ quick }) =>
      figuresOfScript(IN_PROCESS, [what, backend, String(quick ? QUICK_COUNT : IN_PROCESS_COUNT)]),
  },
}));

/** What the machine lacks is said, and is no failure. */
async function had<T>(what: Promise<T>, otherwise: (message: string) => void): Promise<T | undefined> {
  try {
    return await what;
  } catch (error) {
    if (!(error instanceof MissingNeedError)) throw error;
    otherwise(error.message);
    return undefined;
  }
}

async function ensurePeer(log: Log): Promise<Start> {
  await ensureEtcd(log);
  await ensureKubernetesProgram('kube-apiserver', log);
  return startPeer;
}

export const apiserver: Suite = {
  name: 'apiserver',
  async prepare({ log, quick }): Promise<Prepared> {
    const skips: string[] = [];
    const disposer = new AsyncDisposableStack();
    const prepared = (benches: readonly Bench[]): Prepared => ({
      benches: [...benches, ...inProcess],
      skips,
      [Symbol.asyncDispose]: () => disposer.disposeAsync(),
    });
    const load = await had(Load.build(log), (why) => skips.push(`apiserver has no load: ${why}`));
    if (load === undefined) return prepared([]);
    const peer = await had(ensurePeer(log), (why) => skips.push(`apiserver has no peer: ${why}`));
    const common = { load, disposer, quick };
    const contenders = [
      new Contender({ ...common, name: 'windlass', start: startOurs(await installOurs(log)) }),
    ];
    if (peer !== undefined)
      contenders.push(new Contender({ ...common, name: 'kube-apiserver + etcd', start: peer }));
    return prepared([
      ...wholeBenches(contenders),
      ...runs.flatMap((run) => benchesOf(run, contenders)),
      benchOf(
        { name: 'memory-100k', ...megabytes },
        contenders.map((one) => one.side(() => one.largeMemory())),
      ),
    ]);
  },
};
