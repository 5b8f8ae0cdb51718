import { type TracerProvider, trace } from '@opentelemetry/api';
import { WindlassError } from '@windlass/base';
import { listen } from '@windlass/runtime';
import { RequestSpans } from './request-spans.ts';
import { RunSpans } from './run-spans.ts';
import { WrittenVersions } from './written-versions.ts';

/** What is traced, and with which tracer. */
export interface InstrumentOptions {
  /** Where spans go. @default the provider that is registered with `@opentelemetry/api` */
  readonly tracerProvider?: TracerProvider;
}

/** This process is traced already, to another provider: every span would be there twice, with two trace ids. */
export class AlreadyInstrumentedError extends WindlassError {
  constructor() {
    super(
      'instrument() was called before with another tracerProvider; dispose of what that call returned, or pass its ' +
        'provider',
      { code: 'ALREADY_INSTRUMENTED', kind: 'bug' },
    );
  }
}

/** Channels are of the whole process, and so is this. */
let active: { readonly provider: TracerProvider; readonly tracing: Disposable; holders: number } | undefined;

/**
 * Traces every controller of this process: a span for each run, which is the active span in the reconciler, and within
 * it a span for each call to the API server, which is told of it by the header `traceparent`. A run links to the calls
 * whose writes caused it. Call it after the SDK is registered. Who calls it again, with the same provider, shares the
 * spans; it ends when all that it returned is disposed.
 * @throws AlreadyInstrumentedError when it is called with another provider
 */
export function instrument({ tracerProvider: provider = trace }: InstrumentOptions = {}): Disposable {
  if (active !== undefined && active.provider !== provider) throw new AlreadyInstrumentedError();
  const held = (active ??= { provider, tracing: startTracing(provider), holders: 0 });
  held.holders++;
  let isDisposed = false;
  return {
    [Symbol.dispose]: () => {
      if (isDisposed) return;
      isDisposed = true;
      held.holders--;
      if (held.holders > 0) return;
      active = undefined;
      held.tracing[Symbol.dispose]();
    },
  };
}

function startTracing(provider: TracerProvider): Disposable {
  const tracer = provider.getTracer('windlass');
  const written = new WrittenVersions();
  const runs = new RunSpans(tracer, written);
  const requests = new RequestSpans(tracer, written);
  const listening = [
    listen('windlass:reconcile:start', (run) => runs.start(run)),
    listen('windlass:reconcile', (report) => runs.end(report)),
    listen('windlass:request:start', (report) => requests.start(report)),
    listen('windlass:request:end', (report) => requests.end(report)),
  ];
  return {
    [Symbol.dispose]: () => {
      for (const one of listening) one[Symbol.dispose]();
    },
  };
}
