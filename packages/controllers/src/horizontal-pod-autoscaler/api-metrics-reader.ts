// The three metrics APIs, whoever serves them.
import {
  type DeepReadonly,
  isNotFound,
  parseDuration,
  parseTime,
  Quantity,
  type Selector,
} from '@windlass/apimachinery';
import type { CrossVersionObjectReference } from '@windlass/apimachinery/api/autoscaling/v2';
import { toError } from '@windlass/base';
import type { Client } from '@windlass/client';
import { MetricsError } from '../errors.ts';
import type { MetricsReader, PodMetric, PodMetrics } from './metrics-reader.ts';

interface PodMetricsItem {
  readonly metadata?: { readonly name?: string };
  readonly timestamp?: string;
  readonly window?: string;
  readonly containers?: readonly {
    readonly name: string;
    readonly usage?: Readonly<Record<string, string>>;
  }[];
}

interface MetricValue {
  readonly describedObject?: { readonly name?: string };
  readonly timestamp?: string;
  readonly windowSeconds?: number;
  readonly value: string;
}

const CUSTOM_VERSIONS = ['v1beta2', 'v1beta1'] as const;
const DEFAULT_WINDOW_MS = 60_000;

/** Asks the API server: `metrics.k8s.io`, `custom.metrics.k8s.io` and `external.metrics.k8s.io`. */
export class ApiMetricsReader implements MetricsReader {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async resource(
    name: string,
    namespace: string,
    selector: Selector,
    container: string | undefined,
    signal: AbortSignal,
  ): Promise<PodMetrics> {
    const items = await this.#items<PodMetricsItem>(
      'resource',
      `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`,
      { labelSelector: String(selector) },
      signal,
    );
    return new Map(
      items.flatMap((item): [string, PodMetric][] => {
        const value = usageIn(item, name, container);
        if (value === undefined) return [];
        const windowMs = item.window === undefined ? 0 : parseDuration(item.window);
        return [[item.metadata?.name ?? '', { value, timestamp: timeOf(item), windowMs }]];
      }),
    );
  }

  async pods(
    metric: string,
    namespace: string,
    selector: Selector,
    metricSelector: Selector,
    signal: AbortSignal,
  ): Promise<PodMetrics> {
    const items = await this.#custom(
      `namespaces/${namespace}/pods/*/${encodeURIComponent(metric)}`,
      { labelSelector: String(selector), ...metricQuery(metricSelector) },
      signal,
    );
    return new Map(
      items.map((item) => [
        item.describedObject?.name ?? '',
        {
          value: milli(item.value),
          timestamp: timeOf(item),
          windowMs: item.windowSeconds === undefined ? DEFAULT_WINDOW_MS : item.windowSeconds * 1000,
        },
      ]),
    );
  }

  async object(
    metric: string,
    namespace: string,
    { apiVersion = 'v1', kind, name }: DeepReadonly<CrossVersionObjectReference>,
    metricSelector: Selector,
    signal: AbortSignal,
  ): Promise<number> {
    const slash = apiVersion.indexOf('/');
    const group = slash === -1 ? '' : apiVersion.slice(0, slash);
    const isNamespace = kind === 'Namespace' && group === '';
    const path = isNamespace
      ? `namespaces/${namespace}/metrics/${encodeURIComponent(metric)}`
      : `namespaces/${namespace}/${await this.#resourceName(group, apiVersion.slice(slash + 1), kind)}/${name}/${encodeURIComponent(metric)}`;
    const [value] = await this.#custom(path, metricQuery(metricSelector), signal);
    return milli(value?.value ?? '0');
  }

  async external(
    metric: string,
    namespace: string,
    metricSelector: Selector,
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const items = await this.#items<MetricValue>(
      'external',
      `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/${encodeURIComponent(metric)}`,
      metricSelector.isEmpty ? {} : { labelSelector: String(metricSelector) },
      signal,
    );
    return items.map(({ value }) => milli(value));
  }

  async #resourceName(group: string, version: string, kind: string): Promise<string> {
    const { plural } = await this.#client.discovery.kind({ group, version, kind });
    return group === '' ? plural : `${plural}.${group}`;
  }

  /** Adapters serve one version of the API or the other. */
  async #custom(
    path: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly MetricValue[]> {
    const [newer, older] = CUSTOM_VERSIONS;
    const ask = (version: string): Promise<readonly MetricValue[]> =>
      this.#items<MetricValue>('custom', `/apis/custom.metrics.k8s.io/${version}/${path}`, query, signal);
    try {
      return await ask(newer);
    } catch (error) {
      if (!isNotFound(toError(error).cause)) throw error;
      return ask(older).catch(() => {
        throw error;
      });
    }
  }

  async #items<T>(
    api: string,
    path: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly T[]> {
    let body: unknown;
    try {
      ({ body } = await this.#client.request({ method: 'GET', path, query }, { signal }));
    } catch (error) {
      throw new MetricsError(
        `unable to fetch metrics from ${api} metrics API: ${toError(error).message}`,
        error,
      );
    }
    // The APIs say what they answer with.
    const { items = [] } = body as { readonly items?: readonly T[] };
    if (items.length === 0) throw new MetricsError(`no metrics returned from ${api} metrics API`);
    return items;
  }
}

function usageIn(
  { containers = [] }: PodMetricsItem,
  name: string,
  container: string | undefined,
): number | undefined {
  const counted = container === undefined ? containers : containers.filter((one) => one.name === container);
  if (counted.length === 0) return undefined;
  let sum = 0;
  for (const { usage } of counted) {
    const amount = usage?.[name];
    if (amount === undefined) return undefined;
    sum += milli(amount);
  }
  return sum;
}

const milli = (text: string): number => Quantity.from(text).milliValue();
const timeOf = ({ timestamp }: { readonly timestamp?: string }): number =>
  timestamp === undefined ? 0 : parseTime(timestamp);
const metricQuery = (selector: Selector): Readonly<Record<string, string>> =>
  selector.isEmpty ? {} : { metricLabelSelector: String(selector) };
