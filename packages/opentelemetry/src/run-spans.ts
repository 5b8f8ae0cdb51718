import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { isCancelled, nested } from '@windlass/base';
import { type Reason, type ReconcileReport, reasonText, type StartedRun } from '@windlass/runtime';
import { errorType } from './error-type.ts';
import type { WrittenVersions } from './written-versions.ts';

/** A span for each run of a reconciler. */
export class RunSpans {
  readonly #tracer: Tracer;
  readonly #written: WrittenVersions;
  readonly #spans = new WeakMap<StartedRun, Span>();

  constructor(tracer: Tracer, written: WrittenVersions) {
    this.#tracer = tracer;
    this.#written = written;
  }

  start(run: StartedRun): void {
    // Whatever was active when a worker woke up has nothing to do with the run.
    const span = this.#tracer.startSpan(`reconcile ${run.controller}`, { root: true }, ROOT_CONTEXT);
    this.#spans.set(run, span);
    const active = trace.setSpan(ROOT_CONTEXT, span);
    run.around = nested(run.around, (body) => context.with(active, body));
    if (!span.isRecording()) return;
    span.setAttributes(startAttributes(run));
    for (const reason of run.reasons.kept) span.addEvent(reason.type, reasonAttributes(reason));
  }

  end({ started, result, againInMs, error }: ReconcileReport): void {
    if (started === undefined) return;
    const span = this.#spans.get(started);
    if (span === undefined) return;
    if (span.isRecording()) {
      span.setAttribute('windlass.result', result);
      if (againInMs !== undefined) span.setAttribute('windlass.again_in_ms', againInMs);
      // Only now: the watch can show a write before its answer has come.
      this.#link(span, started.reasons.kept);
      if (error !== undefined) fail(span, error.cause instanceof Error ? error.cause : error);
    }
    span.end();
  }

  #link(span: Span, reasons: readonly Reason[]): void {
    for (const { source, object, resourceVersion } of reasons) {
      if (object === undefined || resourceVersion === undefined) continue;
      const writer = this.#written.find(source, object, resourceVersion);
      if (writer === undefined) continue;
      span.addLink({ context: writer, attributes: { 'windlass.link': 'written by' } });
    }
  }
}

function startAttributes({ controller, key, reasons, retries, waitedMs }: StartedRun): Attributes {
  const attributes: Attributes = {
    'windlass.controller': controller,
    'windlass.key': String(key),
    'windlass.reasons': reasons.kept.map(reasonText),
    'windlass.retries': retries,
    'windlass.queue.wait_ms': waitedMs,
  };
  if (reasons.dropped > 0) attributes['windlass.reasons.dropped'] = reasons.dropped;
  if (typeof key !== 'string') return attributes;
  const slash = key.indexOf('/');
  attributes['windlass.name'] = key.slice(slash + 1);
  if (slash > 0) attributes['k8s.namespace.name'] = key.slice(0, slash);
  return attributes;
}

function reasonAttributes({ source, object, resourceVersion, message }: Reason): Attributes {
  const attributes: Attributes = { 'windlass.source': source };
  if (object !== undefined) attributes['windlass.object'] = object;
  if (resourceVersion !== undefined) attributes['windlass.resource_version'] = resourceVersion;
  if (message !== undefined) attributes['windlass.message'] = message;
  return attributes;
}

function fail(span: Span, error: Error): void {
  span.recordException(error);
  span.setAttribute('error.type', errorType(error));
  // A run that was told to end, by a stop, has not failed.
  if (!isCancelled(error)) span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
}
