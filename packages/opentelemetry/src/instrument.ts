import { type TracerProvider, trace } from '@opentelemetry/api';
import { listen } from '@windlass/runtime';
import { RequestSpans } from './request-spans.ts';
import { RunSpans } from './run-spans.ts';
import { WrittenVersions } from './written-versions.ts';

/** What is traced, and with which tracer. */
export interface InstrumentOptions {
  /** Where spans go. @default the provider that is registered with `@opentelemetry/api` */
  readonly tracerProvider?: TracerProvider;
}

/**
 * Traces every controller of this process: a span for each run, which is the active span in the reconciler, and within
 * it a span for each call to the API server, which is told of it by the header `traceparent`. A run links to the calls
 * whose writes caused it. Call it once, after the SDK is registered; it ends when it is disposed.
 */
export function instrument({ tracerProvider = trace }: InstrumentOptions = {}): Disposable {
  const tracer = tracerProvider.getTracer('windlass');
  const written = new WrittenVersions();
  const runs = new RunSpans(tracer, written);
  const requests = new RequestSpans(tracer, written);
  using listening = new DisposableStack();
  listening.use(listen('windlass:reconcile:start', (run) => runs.start(run)));
  listening.use(listen('windlass:reconcile', (report) => runs.end(report)));
  listening.use(listen('windlass:request:start', (report) => requests.start(report)));
  listening.use(listen('windlass:request:end', (report) => requests.end(report)));
  return listening.move();
}
