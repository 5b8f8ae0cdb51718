import { useState } from 'preact/hooks';
import type { TryAnswer } from '../../src/protocol.ts';
import { ask } from '../ask.ts';
import { useConsole } from '../context.ts';
import { Empty } from '../parts/empty.tsx';
import { When } from '../parts/when.tsx';
import { useTopic } from '../topic.ts';
import type { Do } from './do.ts';
import { LiveStrip } from './live-strip.tsx';
import { CreateDeployment, DeleteObject, ScaleObject } from './object-forms.tsx';
import { DropRequests, HoldWatches, NodeSwitches } from './trouble-forms.tsx';

const KEPT = 8;

interface Done {
  readonly id: number;
  readonly at: number;
  readonly text: string;
  readonly hasFailed: boolean;
}

export function TryPage() {
  const state = useConsole();
  const [done, setDone] = useState<readonly Done[]>([]);
  useTopic(state.onAbout);
  useTopic(state.onCluster, 250);
  if (state.about !== undefined && !state.about.canTry)
    return (
      <Empty>
        This page is part of `windlass up`. Against a cluster that others use, the console only looks.
      </Empty>
    );
  const doIt: Do = async (request) => {
    const entry = await ask<TryAnswer>('api/try', request).then(
      (answer) => ({ text: answer.done, hasFailed: false }),
      (error: unknown) => ({ text: error instanceof Error ? error.message : String(error), hasFailed: true }),
    );
    const at = state.now();
    setDone((before) => [{ id: (before[0]?.id ?? 0) + 1, at, ...entry }, ...before].slice(0, KEPT));
  };
  const { cluster } = state;
  return (
    <>
      <h1 class="sr">Try</h1>
      <p class="lead">Break something, and watch the loop heal it.</p>
      <div class="try">
        <div>
          <div class="cards">
            <CreateDeployment doIt={doIt} />
            <ScaleObject doIt={doIt} owners={cluster.owners()} />
            <DeleteObject doIt={doIt} owners={cluster.owners()} pods={cluster.pods()} />
            <NodeSwitches doIt={doIt} nodes={cluster.nodes()} />
            <HoldWatches doIt={doIt} />
            <DropRequests doIt={doIt} />
          </div>
        </div>
        <aside>
          <section class="answers" aria-live="polite" aria-label="What you did">
            {done.length === 0 && <p class="faint">What you do is answered here.</p>}
            <ol>
              {done.map((entry) => (
                <li key={entry.id} class={entry.hasFailed ? 'bad' : ''}>
                  <When at={entry.at} />
                  <span>
                    {entry.hasFailed && '✕ '}
                    {entry.text}
                  </span>
                </li>
              ))}
            </ol>
          </section>
          <LiveStrip />
        </aside>
      </div>
    </>
  );
}
