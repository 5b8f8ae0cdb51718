import { useRef, useState } from 'preact/hooks';
import type { RunSummary } from '../../src/protocol.ts';
import { useConsole } from '../context.ts';
import { Empty } from '../parts/empty.tsx';
import { ClockTime } from '../parts/when.tsx';
import { duration } from '../state/format.ts';
import { keyLink } from '../state/route.ts';
import { useTopic } from '../topic.ts';
import { Result } from './result.tsx';

const SHOWN = 60;
/** Faster than this nobody reads. */
const RENDER_EVERY_MS = 400;

/** The runs as they end, the newest on top. It stands still while somebody points at it, so that one can click. */
export function RunStream({ text }: { text: string }) {
  const state = useConsole();
  const [onlyErrors, setOnlyErrors] = useState(false);
  const [isPaused, setPaused] = useState(false);
  const [isHeld, setHeld] = useState(false);
  useTopic(state.onRuns, RENDER_EVERY_MS);
  const filter = `${text}\n${onlyErrors}`;
  const kept = useRef({ filter, runs: state.runs.newest({ text, onlyErrors }, SHOWN) });
  const isStill = isPaused || isHeld;
  if (!isStill || kept.current.filter !== filter)
    kept.current = { filter, runs: state.runs.newest({ text, onlyErrors }, SHOWN) };
  const { runs } = kept.current;
  return (
    <section class="stream" aria-label="Runs">
      <div class="bar">
        <h2>Runs</h2>
        <label class="choice">
          <input
            type="checkbox"
            checked={onlyErrors}
            onChange={(event) => setOnlyErrors(event.currentTarget.checked)}
          />{' '}
          only errors
        </label>
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Continue' : 'Pause'}
        </button>
        <span class="note">{noteOf(isPaused, isHeld, state.loop.isSampled)}</span>
      </div>
      {runs.length === 0 ? (
        <Empty>{emptyText(state.runs.size, onlyErrors)}</Empty>
      ) : (
        <table
          class="figures runs"
          onMouseEnter={() => setHeld(true)}
          onMouseLeave={() => setHeld(false)}
          onFocusIn={() => setHeld(true)}
          onFocusOut={() => setHeld(false)}
        >
          <thead>
            <tr>
              <th class="wide">began</th>
              <th>controller</th>
              <th>key</th>
              <th class="wide">why</th>
              <th class="wide">waited</th>
              <th>took</th>
              <th class="wide">writes</th>
              <th>result</th>
            </tr>
          </thead>
          {/* Rows are reused by their place: at a thousand runs a second only their texts change. */}
          <tbody>
            {runs.map((run, at) => (
              <RunRow key={at} run={run} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function RunRow({ run }: { run: RunSummary }) {
  return (
    <tr class={run.error === undefined ? '' : 'failed'}>
      <td class="wide">
        <ClockTime at={run.at} />
      </td>
      <td class="controller-name">{run.controller}</td>
      <td class="key">
        <span class="narrow">{run.controller}</span>
        <a href={keyLink(run.controller, run.key)} data-item title={run.key}>
          {run.key}
        </a>
        {run.wokeItself && (
          <span class="tag" title="It was woken by what the run before it wrote.">
            woke itself
          </span>
        )}
      </td>
      <td class="wide why" title={run.reason}>
        {run.reason}
        {run.reasonCount > 1 && <span class="faint"> +{run.reasonCount - 1}</span>}
      </td>
      <td class="wide">
        {run.waitedMs === undefined ? <span class="faint">–</span> : duration(run.waitedMs)}
      </td>
      <td>{duration(run.tookMs)}</td>
      <td class="wide">{run.writeCount === 0 ? <span class="faint">0</span> : run.writeCount}</td>
      <td class="result">
        <Result run={run} />
      </td>
    </tr>
  );
}

function emptyText(known: number, onlyErrors: boolean): string {
  if (known === 0) return 'No run has ended since you look. Change an object, and its controller runs.';
  return onlyErrors
    ? 'No run failed among the newest 1,000.'
    : 'None of the newest 1,000 runs matches the filter.';
}

function noteOf(isPaused: boolean, isHeld: boolean, isSampled: boolean): string {
  if (isPaused) return 'paused';
  if (isHeld) return 'held while you point at it';
  return isSampled ? 'a sample: there are more than can be told' : `the newest ${SHOWN}`;
}
