import { NodePanel } from '../cluster/node-panel.tsx';
import { useConsole } from '../context.ts';
import { Plot } from '../parts/plot.tsx';
import { count, rate } from '../state/format.ts';
import { sortControllers } from '../state/sort-controllers.ts';
import { useTopic } from '../topic.ts';

const CONTROLLERS = 5;

/** Pods and the busiest controllers, to see the loop heal while one breaks something. */
export function LiveStrip() {
  const { cluster, loop, onCluster, onLoop } = useConsole();
  useTopic(onCluster, 150);
  useTopic(onLoop);
  const pods = cluster.pods();
  const nodes = cluster.nodes();
  const homeless = pods.filter(({ node }) => node === undefined || !nodes.some(({ key }) => key === node));
  const busiest = sortControllers(loop.controllers(), 'busiest')
    .filter(({ runs }) => runs.max() > 0)
    .slice(0, CONTROLLERS);
  return (
    <section class="strip" aria-label="Live">
      {nodes.map((node) => (
        <NodePanel
          key={node.key}
          node={node}
          title={node.key}
          pods={pods.filter((pod) => pod.node === node.key)}
        />
      ))}
      {homeless.length > 0 && <NodePanel title="No node yet" pods={homeless} />}
      <div class="busiest">
        {busiest.length === 0 && <p class="faint">No controller ran in the last two minutes.</p>}
        {busiest.map((view) => (
          <Plot
            key={view.name}
            label={view.name}
            value={`${rate(view.runs.last)} runs/s${view.state.retrying > 0 ? `, ${view.state.retrying} retrying` : ''}`}
            series={view.runs}
            least={1}
            format={count}
            tone={view.errors.last > 0 ? 'bad' : undefined}
          />
        ))}
      </div>
    </section>
  );
}
