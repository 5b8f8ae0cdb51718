import type { SpanContext } from '@opentelemetry/api';

/** The watch shows a write within milliseconds; this is some seconds of a busy operator. */
const MAX_KEPT = 2000;

/** Which span wrote which version of which object, for the newest writes. */
export class WrittenVersions {
  readonly #spans = new Map<string, SpanContext>();

  /** @param resource `deployments.apps` */
  add(resource: string, key: string, version: string, span: SpanContext): void {
    this.#spans.set(idOf(resource, key, version), span);
    if (this.#spans.size <= MAX_KEPT) return;
    // A map has the order in which its keys were added.
    const [oldest] = this.#spans.keys();
    if (oldest !== undefined) this.#spans.delete(oldest);
  }

  find(resource: string, key: string, version: string): SpanContext | undefined {
    return this.#spans.get(idOf(resource, key, version));
  }
}

/** None of the three has a space. */
function idOf(resource: string, key: string, version: string): string {
  return `${resource} ${key} ${version}`;
}
