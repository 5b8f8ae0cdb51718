import { useRef, useState } from 'preact/hooks';
import { useConsole } from '../context.ts';
import { Empty } from '../parts/empty.tsx';
import { Filter } from '../parts/filter.tsx';
import { Plot } from '../parts/plot.tsx';
import { count, counted, rate } from '../state/format.ts';
import type { ControllerView, LoopModel } from '../state/loop-model.ts';
import { CONTROLLER_ORDERS, type ControllerOrder, sortControllers } from '../state/sort-controllers.ts';
import { useTopic } from '../topic.ts';
import { BusyController } from './busy-controller.tsx';
import { IdleControllers } from './idle-controllers.tsx';
import { RunStream } from './run-stream.tsx';

/** More would be no picture any more; the rest are rows. */
const MAX_PICTURES = 12;
/** Rows that change their places more often cannot be read. */
const SORT_EVERY_MS = 3000;

export function LoopPage() {
  const state = useConsole();
  const [text, setText] = useState('');
  const [order, setOrder] = useState<ControllerOrder>('name');
  useTopic(state.onLoop);
  const all = useCalmOrder(state.loop, order).filter(({ name }) =>
    name.toLowerCase().includes(text.toLowerCase()),
  );
  const busy = all.filter((view) => state.loop.isBusy(view));
  const pictures = busy.slice(0, MAX_PICTURES);
  const rows = all.filter((view) => !pictures.includes(view));
  return (
    <>
      <h1 class="sr">Loop</h1>
      <Totals loop={state.loop} />
      <div class="bar">
        <Filter label="Filter controllers and runs" value={text} change={setText} />
        <label class="choice">
          Sort by{' '}
          <select
            value={order}
            onChange={(event) =>
              setOrder(CONTROLLER_ORDERS.find((name) => name === event.currentTarget.value) ?? 'name')
            }
          >
            {CONTROLLER_ORDERS.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <span class="note">
          {counted(all.length, 'controller')}, {busy.length} busy
        </span>
      </div>
      {state.loop.at > 0 && all.length === 0 && (
        <Empty>
          {text === ''
            ? 'No controller runs in this process. Add one to its manager, and it appears here.'
            : `No controller has “${text}” in its name. Esc clears the filter.`}
        </Empty>
      )}
      <section class="pictures" aria-label="Busy controllers">
        {pictures.map((view) => (
          <BusyController key={view.name} view={view} />
        ))}
      </section>
      {rows.length > 0 && <IdleControllers views={rows} />}
      <RunStream text={text} />
    </>
  );
}

function Totals({ loop }: { loop: LoopModel }) {
  const states = loop.controllers().map(({ state }) => state);
  const total = (figure: (state: (typeof states)[number]) => number): number =>
    states.reduce((sum, state) => sum + figure(state), 0);
  const retrying = total((state) => state.retrying);
  const working = total((state) => state.working);
  return (
    <section class="totals" aria-label="All controllers">
      <Plot label="runs/s" value={rate(loop.runs.last)} series={loop.runs} least={1} format={count} />
      <Plot
        label="errors/s"
        value={rate(loop.errors.last)}
        series={loop.errors}
        least={1}
        format={count}
        tone={loop.errors.last > 0 ? 'bad' : undefined}
      />
      <Plot
        label="waiting"
        value={`${count(total((state) => state.waiting))}${retrying > 0 ? ` + ${count(retrying)} retrying` : ''}`}
        series={loop.waiting}
        least={4}
        format={count}
      />
      <Plot
        label="workers busy"
        value={`${count(working)} of ${count(total((state) => state.workers))}`}
        series={loop.working}
        least={4}
        format={count}
      />
    </section>
  );
}

/** The controllers in an order that is made anew only now and then. */
function useCalmOrder(loop: LoopModel, order: ControllerOrder): ControllerView[] {
  const kept = useRef({ order, at: 0, names: new Map<string, number>() });
  const views = loop.controllers();
  const isStale = loop.at - kept.current.at >= SORT_EVERY_MS;
  const isOther = kept.current.order !== order || views.some(({ name }) => !kept.current.names.has(name));
  if (isStale || isOther) {
    const names = sortControllers(views, order).map(({ name }, at) => [name, at] as const);
    kept.current = { order, at: loop.at, names: new Map(names) };
  }
  const placeOf = (view: ControllerView): number => kept.current.names.get(view.name) ?? 0;
  return views.sort((a, b) => placeOf(a) - placeOf(b));
}
