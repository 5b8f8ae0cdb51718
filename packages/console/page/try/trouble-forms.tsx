import { useState } from 'preact/hooks';
import type { NodeItem } from '../../src/protocol.ts';
import type { Do } from './do.ts';
import { NumberField, TryForm } from './form.tsx';

/** One button for each node, which takes it away or brings it back. */
export function NodeSwitches({ doIt, nodes }: { doIt: Do; nodes: readonly NodeItem[] }) {
  const [busy, setBusy] = useState<string | undefined>(undefined);
  const toggle = async ({ key, lost }: NodeItem): Promise<void> => {
    setBusy(key);
    await doIt(lost ? { action: 'bring-back-node', node: key } : { action: 'lose-node', node: key });
    setBusy(undefined);
  };
  return (
    <section class="card" data-try="lose-node">
      <h2>Lose a node</h2>
      <p>
        Its heartbeats stop. After 40 seconds it is not ready; after 5 minutes more its pods are replaced
        elsewhere.
      </p>
      <div class="fields">
        {nodes.length === 0 && <span class="faint">There is no node.</span>}
        {nodes.map((node) => (
          <button
            key={node.key}
            type="button"
            class={node.lost ? 'primary' : ''}
            disabled={busy === node.key}
            data-node={node.key}
            onClick={() => void toggle(node)}
          >
            {node.lost ? `Bring back ${node.key}` : `Lose ${node.key}`}
          </button>
        ))}
      </div>
    </section>
  );
}

export function HoldWatches({ doIt }: { doIt: Do }) {
  const [seconds, setSeconds] = useState(5);
  return (
    <TryForm
      title="Hold the watches"
      what="The controllers hear of nothing, so what you change stays undone; then they hear of everything at once, and catch up."
      button="Hold"
      doIt={doIt}
      request={{ action: 'hold-watches', seconds }}
    >
      <NumberField label="Seconds" value={seconds} min={1} max={60} change={setSeconds} />
    </TryForm>
  );
}

export function DropRequests({ doIt }: { doIt: Do }) {
  const [percent, setPercent] = useState(30);
  const [seconds, setSeconds] = useState(10);
  return (
    <TryForm
      title="Drop requests"
      what="Requests are sent again, so runs take longer; what fails all the same waits and is retried, each time later, until all is well."
      button="Drop"
      doIt={doIt}
      request={{ action: 'drop-requests', percent, seconds }}
    >
      <NumberField label="Of a hundred" value={percent} min={1} max={100} change={setPercent} />
      <NumberField label="Seconds" value={seconds} min={1} max={60} change={setSeconds} />
    </TryForm>
  );
}
