import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { formatGroupResource, isJsonObject } from '@windlass/apimachinery';
import { nested, toError } from '@windlass/base';
import type { RequestReport } from '@windlass/client';
import { parseApiPath } from './api-path.ts';
import { errorType } from './error-type.ts';
import { requestUrl } from './request-url.ts';
import type { WrittenVersions } from './written-versions.ts';

/** The key by which SDKs and their propagators know that others trace already. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/**
 * A span for each call to the API server within another span, by the semantic conventions of HTTP clients. Calls outside
 * of one are the engine's own: leases that are renewed, lists of informers.
 */
export class RequestSpans {
  readonly #tracer: Tracer;
  readonly #written: WrittenVersions;
  readonly #spans = new WeakMap<RequestReport, Span>();

  constructor(tracer: Tracer, written: WrittenVersions) {
    this.#tracer = tracer;
    this.#written = written;
  }

  start(report: RequestReport): void {
    const parent = context.active();
    if (trace.getSpan(parent) === undefined) return;
    const { name, attributes } = describe(report);
    const span = this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    this.#spans.set(report, span);
    const active = trace.setSpan(parent, span);
    const headers: Record<string, string> = { ...report.headers };
    propagation.inject(active, headers);
    report.headers = headers;
    const sending = whileSending(active, report);
    report.around = nested(report.around, (body) => context.with(sending, body));
  }

  end(report: RequestReport): void {
    const span = this.#spans.get(report);
    if (span === undefined) return;
    const { response, error } = report;
    if (response === undefined) {
      span.recordException(toError(error));
      span.setAttribute('error.type', errorType(error));
      span.setStatus({ code: SpanStatusCode.ERROR, message: toError(error).message });
    } else {
      const { status } = response;
      span.setAttribute('http.response.status_code', status);
      if (status >= 400) {
        span.setAttribute('error.type', String(status));
        span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(response.body) });
      } else this.#remember(report, span);
    }
    span.end();
  }

  /** So that the runs which the write causes can link to it. */
  #remember({ request, subject, response }: RequestReport, span: Span): void {
    if (request.method === 'GET' || subject.resource === undefined) return;
    const body = response?.body;
    const metadata = isJsonObject(body) ? body['metadata'] : undefined;
    if (!isJsonObject(metadata)) return;
    const { namespace, name, resourceVersion } = metadata;
    if (typeof name !== 'string' || typeof resourceVersion !== 'string') return;
    const key = typeof namespace === 'string' ? `${namespace}/${name}` : name;
    this.#written.add(formatGroupResource(subject.resource), key, resourceVersion, span.spanContext());
  }
}

/** Over HTTP, an instrumented client below ours would make a second span and send a second `traceparent`. */
function whileSending(active: Context, { server }: RequestReport): Context {
  return server === undefined ? active : active.setValue(SUPPRESSED, true);
}

function describe({ request, subject, server }: RequestReport): { name: string; attributes: Attributes } {
  const { method, path } = request;
  const attributes: Attributes = { 'http.request.method': method, 'url.path': path };
  if (server !== undefined) {
    const { hostname, port, protocol } = new URL(server);
    attributes['server.address'] = hostname;
    attributes['server.port'] = Number(port) || (protocol === 'http:' ? 80 : 443);
    attributes['url.full'] = requestUrl(server, request);
  }
  if (subject.resource === undefined) return { name: method, attributes };
  const { namespace, name, subresource } = parseApiPath(path, subject.resource.resource);
  const plural = formatGroupResource(subject.resource);
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  attributes['windlass.resource'] = resource;
  if (namespace !== undefined) attributes['k8s.namespace.name'] = namespace;
  if (name !== undefined) attributes['windlass.name'] = name;
  return { name: `${method} ${resource}`, attributes };
}

/** Of a Status. */
function messageOf(body: unknown): string {
  const message = isJsonObject(body) ? body['message'] : undefined;
  return typeof message === 'string' ? message : 'refused';
}
