import { useState } from 'preact/hooks';
import type { WhyAnswer } from '../../src/protocol.ts';
import { useConsole } from '../context.ts';
import { Empty } from '../parts/empty.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useNow } from '../parts/when.tsx';
import { Yaml } from '../parts/yaml.tsx';
import { isKind } from '../state/route.ts';
import { History } from './history.tsx';
import { ObjectEvents } from './object-events.tsx';
import { ObjectRuns } from './object-runs.tsx';

const ASK_EVERY_MS = 2000;

/** One object as YAML, and how it came to be so. */
export function ObjectPage({ resource, name }: { resource: string; name: string }) {
  const state = useConsole();
  useNow();
  const parameter = isKind(resource) ? 'kind' : 'resource';
  const path = `api/why?${parameter}=${encodeURIComponent(resource)}&key=${encodeURIComponent(name)}`;
  // Not every kind comes with the stream, so the object is asked for again while somebody looks.
  const answer = useAnswer<WhyAnswer>(path, Math.floor(state.now() / ASK_EVERY_MS));
  return (
    <article class="detail">
      <p class="trail">
        <a href="#/cluster">Cluster</a> / {answer.state === 'here' ? answer.value.object.kind : resource}
      </p>
      <h1>{name}</h1>
      {answer.state === 'failed' && <Empty>{answer.error}</Empty>}
      {answer.state === 'here' && (
        <ObjectView why={answer.value} hasHistory={state.about?.hasHistory === true} />
      )}
    </article>
  );
}

function ObjectView({ why, hasHistory }: { why: WhyAnswer; hasHistory: boolean }) {
  const { history, yaml, exists } = why.object;
  const newest = history.at(-1);
  // Undefined follows the newest one.
  const [chosen, choose] = useState<string | undefined>(undefined);
  const at = history.findIndex(({ resourceVersion }) => resourceVersion === chosen);
  const place = at === -1 ? history.length - 1 : at;
  const revision = history[place];
  const isNewest = revision === newest;
  return (
    <>
      {!exists && (
        <p class="hot large" role="note">
          <strong>It is deleted.</strong> This is what was last known of it.
        </p>
      )}
      <div class="object">
        <Yaml text={isNewest || revision === undefined ? yaml : revision.yaml} />
        <div>
          <ObjectEvents events={why.events} />
          {revision === undefined ? (
            <Empty>
              {hasHistory
                ? 'No revision of this object is kept yet.'
                : 'No revisions are kept here. Start with `windlass up` to see how objects came to be.'}
            </Empty>
          ) : (
            <History
              history={history}
              place={place}
              choose={(next) =>
                choose(next === history.length - 1 ? undefined : history[next]?.resourceVersion)
              }
            />
          )}
          <ObjectRuns runs={why.runs} />
        </div>
      </div>
    </>
  );
}
