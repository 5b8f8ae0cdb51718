// A metric in autoscaling/v1's annotations is flat, where autoscaling/v2 has a metric and a target.
import type {
  MetricSpec,
  MetricStatus,
  MetricTarget,
  ResourceMetricSource,
} from '@windlass/apimachinery/api/autoscaling/v2';
import type { View } from '../../../resource/views.ts';

/** Of any type, because nobody has looked at annotations before they are decoded. */
type Any = unknown;

interface FlatResource {
  readonly name?: Any;
  readonly targetAverageUtilization?: Any;
  readonly targetAverageValue?: Any;
}

export interface FlatMetric {
  readonly type?: Any;
  readonly resource?: FlatResource;
  readonly containerResource?: FlatResource & { readonly container?: Any };
  readonly pods?: { readonly metricName?: Any; readonly targetAverageValue?: Any; readonly selector?: Any };
  readonly object?: {
    readonly target?: Any;
    readonly metricName?: Any;
    readonly targetValue?: Any;
    readonly selector?: Any;
    readonly averageValue?: Any;
  };
  readonly external?: {
    readonly metricName?: Any;
    readonly metricSelector?: Any;
    readonly targetValue?: Any;
    readonly targetAverageValue?: Any;
  };
}

interface FlatStatus {
  readonly name?: Any;
  readonly container?: Any;
  readonly metricName?: Any;
  readonly selector?: Any;
  readonly metricSelector?: Any;
  readonly target?: Any;
  readonly currentAverageUtilization?: Any;
  readonly currentAverageValue?: Any;
  readonly currentValue?: Any;
  readonly averageValue?: Any;
}

type SourceField = Exclude<keyof MetricSpec, 'type'>;

export type FlatMetricStatus = { readonly type?: Any } & { readonly [Field in SourceField]?: FlatStatus };

/** Where each type of metric keeps what it is about. */
export const METRIC_FIELDS: ReadonlyMap<unknown, SourceField> = new Map([
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
  ['Pods', 'pods'],
  ['Object', 'object'],
  ['External', 'external'],
]);

/** Without what is undefined, so that nothing is written that was not said. */
function compact<T extends object>(fields: T): Partial<T> {
  // Only whole fields are left out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** One of a type that is not known stays as it is. */
export function metricToV1(metric: View<MetricSpec>): FlatMetric | View<MetricSpec> {
  const { type, resource, containerResource, pods, object, external } = metric;
  switch (type) {
    case 'Resource':
      return { type, resource: resourceToV1(resource) };
    case 'ContainerResource':
      return {
        type,
        containerResource: compact({
          ...resourceToV1(containerResource),
          container: containerResource?.container,
        }),
      };
    case 'Pods':
      return {
        type,
        pods: compact({
          metricName: pods?.metric?.name,
          targetAverageValue: pods?.target?.averageValue,
          selector: pods?.metric?.selector,
        }),
      };
    case 'Object':
      return {
        type,
        object: compact({
          target: object?.describedObject,
          metricName: object?.metric?.name,
          targetValue: object?.target?.value ?? '0',
          selector: object?.metric?.selector,
          averageValue: object?.target?.averageValue,
        }),
      };
    case 'External':
      return {
        type,
        external: compact({
          metricName: external?.metric?.name,
          metricSelector: external?.metric?.selector,
          targetValue: external?.target?.value,
          targetAverageValue: external?.target?.averageValue,
        }),
      };
    default:
      return metric;
  }
}

function resourceToV1(source: View<ResourceMetricSource> | undefined): FlatResource {
  return compact({
    name: source?.name,
    targetAverageUtilization: source?.target?.averageUtilization,
    targetAverageValue: source?.target?.averageValue,
  });
}

/** To be decoded: the values are as they were found. */
export function metricFromV1(metric: FlatMetric): object {
  const { type, resource, containerResource, pods, object, external } = metric;
  switch (type) {
    case 'Resource':
      return { type, resource: resourceFromV1(resource) };
    case 'ContainerResource':
      return {
        type,
        containerResource: {
          ...resourceFromV1(containerResource),
          container: containerResource?.container,
        },
      };
    case 'Pods':
      return {
        type,
        pods: {
          metric: { name: pods?.metricName, selector: pods?.selector },
          target: targetOf(pods?.targetAverageValue, undefined),
        },
      };
    case 'Object':
      return {
        type,
        object: {
          describedObject: object?.target,
          metric: { name: object?.metricName, selector: object?.selector },
          target: targetOf(object?.averageValue, object?.targetValue),
        },
      };
    case 'External':
      return {
        type,
        external: {
          metric: { name: external?.metricName, selector: external?.metricSelector },
          target: targetOf(external?.targetAverageValue, external?.targetValue),
        },
      };
    default:
      return metric;
  }
}

type FoundTarget = { readonly [Field in keyof MetricTarget]?: Any };

function targetOf(averageValue: Any, value: Any): FoundTarget {
  return averageValue === undefined ? { type: 'Value', value } : { type: 'AverageValue', averageValue };
}

function resourceFromV1(source: FlatResource | undefined): object {
  const utilization = source?.targetAverageUtilization;
  const target: FoundTarget =
    utilization === undefined
      ? { type: 'AverageValue', averageValue: source?.targetAverageValue }
      : { type: 'Utilization', averageUtilization: utilization };
  return { name: source?.name, target };
}

/** One of a type that is not known, or without what its type asks for, stays as it is. */
export function metricStatusToV1(status: View<MetricStatus>): FlatMetricStatus | View<MetricStatus> {
  const { type, resource, containerResource, pods, object, external } = status;
  switch (type) {
    case 'Resource':
      if (resource === undefined) return status;
      return {
        type,
        resource: compact({
          name: resource.name,
          currentAverageUtilization: resource.current?.averageUtilization,
          currentAverageValue: resource.current?.averageValue ?? '0',
        }),
      };
    case 'ContainerResource':
      if (containerResource === undefined) return status;
      return {
        type,
        containerResource: compact({
          name: containerResource.name,
          currentAverageUtilization: containerResource.current?.averageUtilization,
          currentAverageValue: containerResource.current?.averageValue ?? '0',
          container: containerResource.container,
        }),
      };
    case 'Pods':
      if (pods === undefined) return status;
      return {
        type,
        pods: compact({
          selector: pods.metric?.selector,
          metricName: pods.metric?.name,
          currentAverageValue: pods.current?.averageValue ?? '0',
        }),
      };
    case 'Object':
      if (object === undefined) return status;
      return {
        type,
        object: compact({
          selector: object.metric?.selector,
          metricName: object.metric?.name,
          target: object.describedObject,
          currentValue: object.current?.value ?? '0',
          averageValue: object.current?.averageValue,
        }),
      };
    case 'External':
      if (external === undefined) return status;
      return {
        type,
        external: compact({
          metricName: external.metric?.name,
          metricSelector: external.metric?.selector,
          currentValue: external.current?.value ?? '0',
          currentAverageValue: external.current?.averageValue,
        }),
      };
    default:
      return status;
  }
}

/** To be decoded: the values are as they were found. */
export function metricStatusFromV1(status: FlatMetricStatus): object {
  const { type } = status;
  const field = METRIC_FIELDS.get(type);
  const source = field === undefined ? undefined : status[field];
  if (field === undefined || source === undefined) return status;
  const metric = { name: source.metricName, selector: source.selector ?? source.metricSelector };
  const current = {
    averageUtilization: source.currentAverageUtilization,
    averageValue: source.currentAverageValue ?? source.averageValue,
    value: source.currentValue,
  };
  switch (field) {
    case 'resource':
      return { type, resource: { name: source.name, current } };
    case 'containerResource':
      return { type, containerResource: { name: source.name, container: source.container, current } };
    case 'object':
      return { type, object: { describedObject: source.target, metric, current } };
    default:
      return { type, [field]: { metric, current } };
  }
}
