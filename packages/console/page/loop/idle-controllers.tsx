import { count, counted, duration, rate } from '../state/format.ts';
import type { ControllerView } from '../state/loop-model.ts';

/** Those that have little to say: a row each, with what is not zero. */
export function IdleControllers({ views }: { views: readonly ControllerView[] }) {
  return (
    <ul class="idle" aria-label="Other controllers">
      {views.map((view) => (
        <li key={view.name} data-controller={view.name} title={view.name}>
          <span class="name">{view.name}</span>
          <Figures view={view} />
        </li>
      ))}
    </ul>
  );
}

function Figures({ view: { state, runs } }: { view: ControllerView }) {
  const { waiting, working, delayed, retrying, errors } = state;
  return (
    <span class="some">
      {runs.last > 0 && <b>{rate(runs.last)}/s</b>}
      {waiting > 0 && <b>{count(waiting)} waiting</b>}
      {working > 0 && (
        <b>
          {working} of {state.workers} work
        </b>
      )}
      {retrying > 0 && <b class="bad">{count(retrying)} retrying</b>}
      {errors > 0 && <span class="bad">{counted(errors, 'error')}</span>}
      {delayed > 0 && <span>{count(delayed)} delayed</span>}
      {state.runMs !== undefined && <span>p99 {duration(state.runMs.p99)}</span>}
      <span class={state.runs === 0 ? 'faint' : ''}>
        <span data-figure="runs">{count(state.runs)}</span> {state.runs === 1 ? 'run' : 'runs'}
      </span>
    </span>
  );
}
