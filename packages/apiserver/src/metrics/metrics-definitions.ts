import {
  builtinSchemas,
  type DeepReadonly,
  formatTime,
  newNotFound,
  type Schema,
} from '@windlass/apimachinery';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import { column, printer } from '../builtin/shared/columns.ts';
import type { ComputedReader, ResourceDefinition } from '../resource/definition.ts';
import type { Stored } from '../resource/strategy.ts';
import type { Store } from '../storage/store.ts';
import { getOfKind, listOfKind } from '../storage/stored-kinds.ts';
import { isMeasured, simulatedUsage, totalUsage, type Usage, type UsageReader } from './usage.ts';

export const METRICS_GROUP = 'metrics.k8s.io';
const VERSION = 'v1beta1';
const API_VERSION = `${METRICS_GROUP}/${VERSION}`;
/** Over which simulated usage is said to be measured. */
const SIMULATED_WINDOW_MS = 15_000;

export interface MetricsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** @default all usage is simulated */
  readonly measured?: UsageReader;
}

type Metadata = NonNullable<DeepReadonly<Pod>['metadata']>;

/**
 * `metrics.k8s.io`: what `kubectl top` and the horizontal pod autoscaler ask for. It is part of this server and not
 * another one behind an APIService: it needs no port and no certificate, and works in a process that serves nobody
 * outside. Whoever installs metrics-server gives the APIService a service, and that server answers from then on.
 */
export function metricsDefinitions(options: MetricsOptions): ResourceDefinition[] {
  return [
    definition('nodes', 'NodeMetrics', false, NODE_SCHEMA, nodeReader(options)),
    definition('pods', 'PodMetrics', true, POD_SCHEMA, podReader(options)),
  ];
}

function podReader({ store, clock, measured }: MetricsOptions): ComputedReader {
  const metricsOf = (pod: DeepReadonly<Pod>): Stored | undefined => {
    if (!isMeasured(pod)) return undefined;
    const { metadata = {}, spec } = pod;
    const sample = measured?.(spec?.nodeName ?? '');
    const containers =
      sample === undefined
        ? simulatedUsage(pod)
        : sample.pods.get(`${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
    if (containers === undefined) return undefined;
    return { ...head('PodMetrics', metadata, clock, sample), containers };
  };
  return {
    get: async (namespace, name) => {
      const pod = await getOfKind(store, Pod, name, namespace);
      const found = pod === undefined ? undefined : metricsOf(pod);
      // It says `podmetrics`, as metrics-server does.
      if (found === undefined)
        throw newNotFound({ group: METRICS_GROUP, resource: 'podmetrics' }, `${namespace}/${name}`);
      return found;
    },
    list: async (namespace) => {
      const pods = await listOfKind(store, Pod, namespace);
      return pods.map(metricsOf).filter((metrics) => metrics !== undefined);
    },
  };
}

function nodeReader({ store, clock, measured }: MetricsOptions): ComputedReader {
  const simulated = async (): Promise<Map<string, Usage[]>> => {
    const byNode = new Map<string, Usage[]>();
    for (const pod of await listOfKind(store, Pod)) {
      if (!isMeasured(pod)) continue;
      const name = pod.spec?.nodeName ?? '';
      const known = byNode.get(name) ?? [];
      byNode.set(name, known);
      for (const { usage } of simulatedUsage(pod)) known.push(usage);
    }
    return byNode;
  };
  const metricsOf = ({ metadata = {} }: DeepReadonly<Node>, usages: ReadonlyMap<string, Usage[]>): Stored => {
    const sample = measured?.(metadata.name ?? '');
    const usage = sample?.usage ?? totalUsage(usages.get(metadata.name ?? '') ?? []);
    return { ...head('NodeMetrics', metadata, clock, sample), usage };
  };
  return {
    get: async (_namespace, name) => {
      const node = await getOfKind(store, Node, name);
      if (node === undefined) throw newNotFound({ group: METRICS_GROUP, resource: 'nodemetrics' }, name);
      return metricsOf(node, await simulated());
    },
    list: async () => {
      const usages = await simulated();
      return (await listOfKind(store, Node)).map((node) => metricsOf(node, usages));
    },
  };
}

function head(
  kind: string,
  { name = '', namespace, labels }: Metadata,
  clock: Clock,
  sample: { readonly timestamp: number; readonly windowMs: number } | undefined,
): Stored {
  return {
    kind,
    apiVersion: API_VERSION,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      creationTimestamp: formatTime(clock.now()),
      ...(labels !== undefined && { labels }),
    },
    timestamp: formatTime(sample?.timestamp ?? clock.now()),
    window: `${(sample?.windowMs ?? SIMULATED_WINDOW_MS) / 1000}s`,
  };
}

function definition(
  plural: string,
  kind: string,
  namespaced: boolean,
  schema: Schema,
  computed: ComputedReader,
): ResourceDefinition {
  return {
    group: METRICS_GROUP,
    version: VERSION,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: '',
    shortNames: [],
    categories: [],
    namespaced,
    isCustom: false,
    verbs: ['get', 'list'],
    subresources: new Map(),
    computed,
    // Nothing is ever written.
    decode: () => ({ draft: {}, problems: [] }),
    schema,
    schemas: builtinSchemas(),
    strategy: {},
    printer: printer([column('cpu'), column('memory'), column('window')], (object: Stored) => {
      const { cpu, memory } = usageIn(object);
      return [cpu, memory, String(object['window'])];
    }),
    selectableFields: new Map(),
    storage: { group: METRICS_GROUP, plural, version: VERSION },
  };
}

function usageIn(object: Stored): Usage {
  // Made by the readers above.
  const { usage, containers = [] } = object as { usage?: Usage; containers?: readonly { usage: Usage }[] };
  return usage ?? totalUsage(containers.map((container) => container.usage));
}

const QUANTITIES: Schema = {
  type: 'object',
  additionalProperties: { type: 'string', 'x-kubernetes-int-or-string': true },
};
const COMMON: Readonly<Record<string, Schema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object' },
  timestamp: { type: 'string', format: 'date-time' },
  window: { type: 'string' },
};
const NODE_SCHEMA: Schema = { type: 'object', properties: { ...COMMON, usage: QUANTITIES } };
const POD_SCHEMA: Schema = {
  type: 'object',
  properties: {
    ...COMMON,
    containers: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, usage: QUANTITIES } },
    },
  },
};
