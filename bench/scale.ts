// `windlass up` with many nodes and many pods. Nobody runs a whole cluster in a process beside us: the bars are those of
// the design, on two cores.
import { installOurs } from './lib/as-installed.ts';
import type { Bench, Side, Suite } from './lib/bench.ts';
import { sharedRuns } from './lib/shared-runs.ts';
import { type ChurnOptions, churned, type FilledOptions, filled } from './scale/run.ts';

const MANY_PODS = { deployments: 50, replicas: 100, settleMs: 20_000, restMs: 30_000 };
const QUICK_PODS = { deployments: 5, replicas: 20, settleMs: 2000, restMs: 3000 };
const FEW_NODES = { whole: 50, quick: 10 };
const MANY_NODES = { whole: 1000, quick: 100 };

const CHURN: ChurnOptions = { nodes: 50, rounds: 10, replicas: 500, laterMs: 360_000 };
const QUICK_CHURN: ChurnOptions = { nodes: 5, rounds: 2, replicas: 20, laterMs: 1000 };

type Figure = (figure: string) => Side['measure'];
type Row = readonly [name: string, unit: string, below: number | undefined, measure: Side['measure']];

function rows(installed: string): readonly Row[] {
  const filledWith = (nodes: typeof FEW_NODES): Figure =>
    sharedRuns(({ quick }) => filled(installed, filledOptions(nodes, quick)));
  const [many, few] = [filledWith(MANY_NODES), filledWith(FEW_NODES)];
  const churn = sharedRuns(({ quick }) => churned(installed, quick ? QUICK_CHURN : CHURN));
  return [
    ['ready', 'seconds until 1,000 nodes are ready', 3, many('ready')],
    ['rest', '% of a processor, 1,000 nodes at rest', 4, many('rest')],
    ['pods', 'seconds until 5,000 pods are available on 1,000 nodes', 12.5, many('available')],
    ['pods-cpu', 'ms of processor time a pod, 1,000 nodes', 3, many('cpu')],
    ['pods-cpu-50', 'ms of processor time a pod, 50 nodes', 3, few('cpu')],
    ['pods-memory', 'MB with 5,000 pods on 1,000 nodes', 400, many('memory')],
    ['deleted', 'seconds until their namespace is gone', 10, many('deleted')],
    ['deleted-cpu', 'ms of processor time a deleted pod', undefined, many('deleted-cpu')],
    ['deleted-memory', 'MB at most meanwhile', 500, many('deleted-memory')],
    ['churn-memory', 'MB after ten rounds of 500 pods on 50 nodes', 350, churn('memory')],
    ['churn-memory-later', 'MB six minutes later', 260, churn('later')],
  ];
}

const filledOptions = ({ whole, quick: few }: typeof FEW_NODES, quick: boolean): FilledOptions =>
  quick ? { ...QUICK_PODS, nodes: few } : { ...MANY_PODS, nodes: whole };

const bench = ([name, unit, below, measure]: Row): Bench => ({
  name: `scale/${name}`,
  unit,
  better: 'lower',
  ...(below !== undefined && { bar: { kind: 'ours', below } }),
  ours: { name: 'windlass up', measure },
});

export const scale: Suite = {
  name: 'scale',
  async prepare({ log }) {
    const installed = await installOurs(log);
    return { benches: rows(installed).map(bench), skips: [], [Symbol.asyncDispose]: async () => {} };
  },
};
