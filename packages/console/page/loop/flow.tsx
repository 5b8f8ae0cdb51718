import { count, duration, rate } from '../state/format.ts';
import type { ControllerView } from '../state/loop-model.ts';

/** As many are drawn one by one; beyond it the number says more. */
const MAX_BLOCKS = 10;

/** The loop itself: from the API server by the watch to the queue, to the workers, and by what they write back. */
export function Flow({ view: { state, runs, writes } }: { view: ControllerView }) {
  const { waiting, delayed, retrying, working, workers, watchLagMs } = state;
  const isMoving = runs.last > 0 || working > 0;
  return (
    <div class={`flow ${isMoving ? 'is-moving' : ''}`}>
      <svg class="rail" viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
        <path d="M100 40V8H0V40" />
      </svg>
      <span class="track" aria-hidden="true">
        <i />
      </span>
      <span class="api">API server</span>
      <span class="watch">
        watch <b>{watchLagMs === undefined ? '–' : duration(watchLagMs)}</b>
      </span>
      <span class="writes">
        writes <b>{rate(writes.last)}/s</b>
      </span>
      <div class="stage queue">
        <span class="name">
          queue <b>{count(waiting)}</b>
        </span>
        <Blocks filled={waiting} all={MAX_BLOCKS} />
        <span class="detail">
          <span>{count(delayed)} delayed</span>
          <span class={retrying > 0 ? 'bad' : ''}>{count(retrying)} retrying</span>
        </span>
      </div>
      <span class="arrow" aria-hidden="true" />
      <div class="stage workers">
        <span class="name">
          workers{' '}
          <b>
            {working} of {workers}
          </b>
        </span>
        <Blocks filled={scaled(working, workers)} all={Math.min(workers, MAX_BLOCKS)} isRound />
        <span class="detail">
          {state.queueMs === undefined ? 'nothing waited' : `waited ${duration(state.queueMs.p50)}`}
        </span>
      </div>
    </div>
  );
}

function scaled(working: number, workers: number): number {
  return workers <= MAX_BLOCKS ? working : Math.ceil((working / workers) * MAX_BLOCKS);
}

function Blocks({ filled, all, isRound = false }: { filled: number; all: number; isRound?: boolean }) {
  return (
    <span class={`blocks ${isRound ? 'is-round' : ''}`} aria-hidden="true">
      {Array.from({ length: all }, (_, at) => (
        <i key={at} class={at < filled ? 'on' : ''} />
      ))}
      {filled > all && <em>+{count(filled - all)}</em>}
    </span>
  );
}
