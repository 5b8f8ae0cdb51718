import type { About, ClusterChange, LoopTick, RunSummary } from '../src/protocol.ts';
import { ask, RefusedError } from './ask.ts';
import type { ConsoleState } from './console-state.ts';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5000;
/** A tick comes each half second. A stream that is silent for this long has no other end. */
const SILENCE_MS = 6000;

/**
 * Keeps the state in step with the server. EventSource would reconnect by itself, but to the same address: it would
 * ask for all runs again. So each attempt is a new one that continues after the last run.
 */
export function connect(state: ConsoleState): void {
  let retryMs = FIRST_RETRY_MS;

  const open = async (): Promise<void> => {
    try {
      takeAbout(state, await ask<About>('api/about'));
    } catch (error) {
      retry(error instanceof RefusedError ? error.message : undefined);
      return;
    }
    state.cluster.beginAnew();
    const source = new EventSource(`api/stream?after=${state.runs.lastId}`);
    let silence = 0;
    const lost = (): void => {
      clearTimeout(silence);
      source.close();
      retry();
    };
    const heard = (): void => {
      clearTimeout(silence);
      silence = window.setTimeout(lost, SILENCE_MS);
      if (state.connection.state === 'live') return;
      retryMs = FIRST_RETRY_MS;
      state.connection = { state: 'live' };
      state.onConnection.changed();
    };
    heardOf(source, 'loop', (tick) => {
      heard();
      state.clockOffset = tick.at - Date.now();
      state.loop.apply(tick);
      state.onLoop.changed();
    });
    heardOf(source, 'runs', (runs) => {
      heard();
      state.runs.add(runs);
      state.onRuns.changed();
    });
    heardOf(source, 'cluster', (changes) => {
      heard();
      state.cluster.apply(changes);
      state.onCluster.changed();
    });
    silence = window.setTimeout(lost, SILENCE_MS);
    source.onerror = lost;
  };

  const retry = (why?: string): void => {
    const since = state.connection.state === 'lost' ? state.connection.since : Date.now();
    state.connection = { state: 'lost', since, retryAt: Date.now() + retryMs, why };
    state.onConnection.changed();
    window.setTimeout(() => void open(), retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  };

  void open();
}

/** The messages of the stream, by the names of their events. */
interface Messages {
  readonly loop: LoopTick;
  readonly runs: readonly RunSummary[];
  readonly cluster: readonly ClusterChange[];
}

function heardOf<K extends keyof Messages>(
  source: EventSource,
  type: K,
  take: (message: Messages[K]) => void,
): void {
  source.addEventListener(type, (event) => {
    // The protocol says which message has which form, and the server is of the same version as this page.
    take(JSON.parse((event as MessageEvent<string>).data) as Messages[K]);
  });
}

function takeAbout(state: ConsoleState, about: About): void {
  if (state.about !== undefined && state.about.startedAt !== about.startedAt) {
    // Another process: its runs are counted anew.
    state.runs.reset();
    state.loop.reset();
  }
  state.about = about;
  state.onAbout.changed();
}
