import { useState } from 'preact/hooks';
import type { RunDetail } from '../../src/protocol.ts';
import { useConsole } from '../context.ts';
import { Empty } from '../parts/empty.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { counted } from '../state/format.ts';
import { useTopic } from '../topic.ts';
import { RunCard } from './run-card.tsx';
import { RunTimeline } from './run-timeline.tsx';

const MAX_CARDS = 50;

/** All that is known of one key of one controller. */
export function KeyPage({ controller, name }: { controller: string; name: string }) {
  const state = useConsole();
  useTopic(state.onRuns, 500);
  useTopic(state.onLoop, 500);
  const path = `api/runs?controller=${encodeURIComponent(controller)}&key=${encodeURIComponent(name)}`;
  const answer = useAnswer<readonly RunDetail[]>(path, state.runs.lastIdOf(controller, name));
  const isHot = state.loop.get(controller)?.state.hot.includes(name) === true;
  return (
    <article class="detail">
      <p class="trail">
        <a href="#/loop">Loop</a> / {controller}
      </p>
      <h1>{name}</h1>
      {isHot && (
        <div class="hot large" role="note">
          <strong>This key wakes itself.</strong> Every run writes something, and that write wakes it again.
          Compare what should be with what is, and write only when something differs. A time or a counter that
          is written on each run always differs. The diffs below show what each run wrote.
        </div>
      )}
      {answer.state === 'failed' && <Empty>{answer.error}</Empty>}
      {answer.state === 'here' && <Runs runs={answer.value} />}
    </article>
  );
}

function Runs({ runs }: { runs: readonly RunDetail[] }) {
  // Runs that come later neither open by themselves nor close what somebody reads.
  const [opened] = useState(runs[0]?.id);
  if (runs.length === 0)
    return <Empty>No run of this key is kept. Change its object, and the run appears here.</Empty>;
  return (
    <>
      <RunTimeline runs={runs} />
      <h2>
        {counted(runs.length, 'run')}
        {runs.length > MAX_CARDS && `, the newest ${MAX_CARDS} of them:`}
      </h2>
      <ol class="run-cards">
        {runs.slice(0, MAX_CARDS).map((run) => (
          <RunCard key={run.id} run={run} isOpen={run.id === opened} />
        ))}
      </ol>
    </>
  );
}
