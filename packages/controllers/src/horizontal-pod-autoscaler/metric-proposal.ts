// One metric of an autoscaler: what it is now, and how many replicas it asks for.
import {
  type DeepReadonly,
  deepCopy,
  Quantity,
  type Selector,
  selectorFromObject,
} from '@windlass/apimachinery';
import type {
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '@windlass/apimachinery/api/autoscaling/v2';
import type { LabelSelector } from '@windlass/apimachinery/api/meta/v1';
import { toError } from '@windlass/base';
import { MetricsError } from '../errors.ts';
import type { AutoscalerSettings } from '../options/autoscaler-options.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import type { MetricsReader } from './metrics-reader.ts';
import {
  replicasForAverage,
  replicasForShare,
  replicasForUtilization,
  replicasForValue,
  type Tolerances,
} from './replica-calculator.ts';

export interface ProposalInput {
  readonly spec: DeepReadonly<MetricSpec>;
  readonly reader: MetricsReader;
  readonly namespace: string;
  readonly selector: Selector;
  readonly pods: readonly ReadonlyPod[];
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly tolerances: Tolerances;
  readonly now: number;
  readonly settings: AutoscalerSettings;
  readonly signal: AbortSignal;
}

export interface MetricProposal {
  readonly replicas: number;
  /** In messages: `cpu resource utilization (percentage of request)`. */
  readonly name: string;
  readonly status: MetricStatus;
}

/** It cannot be told how many replicas the metric asks for. */
export interface MetricFailure {
  readonly reason: string;
  /** What is wrong, for the condition and the event. */
  readonly problem: string;
  /** The same for the summary. */
  readonly summary: string;
}

const REASONS: Readonly<Record<string, string>> = {
  Resource: 'FailedGetResourceMetric',
  ContainerResource: 'FailedGetContainerResourceMetric',
  Pods: 'FailedGetPodsMetric',
  Object: 'FailedGetObjectMetric',
  External: 'FailedGetExternalMetric',
};

export async function proposeFor(input: ProposalInput): Promise<MetricProposal | MetricFailure> {
  const { spec } = input;
  try {
    if (spec.resource !== undefined && spec.type === 'Resource') {
      const { name, target } = spec.resource;
      const { value, ...proposal } = await byResource(input, name, undefined, target);
      return { ...proposal, status: { type: 'Resource', resource: { name, current: value } } };
    }
    if (spec.containerResource !== undefined && spec.type === 'ContainerResource') {
      const { name, container, target } = spec.containerResource;
      const { value, ...proposal } = await byResource(input, name, container, target);
      const containerResource = { name, container, current: value };
      return { ...proposal, status: { type: 'ContainerResource', containerResource } };
    }
    if (spec.pods !== undefined && spec.type === 'Pods') return await byPods(input, spec.pods);
    if (spec.object !== undefined && spec.type === 'Object') return await byObject(input, spec.object);
    if (spec.external !== undefined && spec.type === 'External')
      return await byExternal(input, spec.external);
    throw new MetricsError(`unknown metric source type "${spec.type}"`);
  } catch (error) {
    const problem = toError(error).message;
    const reason = REASONS[spec.type] ?? 'InvalidMetricSourceType';
    return { reason, problem, summary: `${summaryOf(spec)}${problem}` };
  }
}

function summaryOf({ type, resource, containerResource, external }: DeepReadonly<MetricSpec>): string {
  if (type === 'Resource') return `failed to get ${resource?.name} resource metric value: `;
  if (type === 'ContainerResource')
    return `failed to get ${containerResource?.container} container metric value: `;
  if (type === 'External') return `failed to get ${external?.metric.name} external metric value: `;
  return type in REASONS ? `failed to get ${type.toLowerCase()} metric value: ` : '';
}

async function byResource(
  input: ProposalInput,
  resource: string,
  container: string | undefined,
  target: DeepReadonly<MetricTarget>,
): Promise<{ readonly replicas: number; readonly name: string; readonly value: MetricValueStatus }> {
  const { reader, namespace, selector, pods, specReplicas, tolerances, now, settings, signal } = input;
  const isAverage = target.averageValue !== undefined;
  const what = isAverage ? 'usage' : 'utilization';
  if (target.averageValue === undefined && target.averageUtilization === undefined)
    throw new MetricsError(
      'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set',
    );
  try {
    const metrics = await reader
      .resource(resource, namespace, selector, container, signal)
      .catch((error: unknown) => {
        throw new MetricsError(
          `unable to get metrics for resource ${resource}: ${toError(error).message}`,
          error,
        );
      });
    const pod = { metrics, pods, current: specReplicas, tolerances, now, settings };
    const { replicas, average, utilization } =
      target.averageValue === undefined
        ? replicasForUtilization(pod, resource, container, target.averageUtilization ?? 100)
        : replicasForAverage(pod, resource, milli(target.averageValue));
    const format = resource === 'memory' ? 'BinarySI' : 'DecimalSI';
    const ofContainer = container === undefined ? '' : 'container ';
    return {
      replicas,
      name: isAverage
        ? `${resource} resource`
        : `${resource} ${ofContainer}resource utilization (percentage of request)`,
      value: {
        ...(utilization !== undefined && { averageUtilization: utilization }),
        averageValue: String(Quantity.ofMilli(average, format)),
      },
    };
  } catch (error) {
    throw new MetricsError(`failed to get ${resource} ${what}: ${toError(error).message}`, error);
  }
}

async function byPods(
  { reader, namespace, selector, pods, specReplicas, tolerances, now, settings, signal }: ProposalInput,
  { metric, target }: DeepReadonly<NonNullable<MetricSpec['pods']>>,
): Promise<MetricProposal> {
  const metrics = await named(metric.name, () =>
    reader.pods(metric.name, namespace, selector, selectorOf(metric.selector), signal),
  );
  const input = { metrics, pods, current: specReplicas, tolerances, now, settings };
  const { replicas, average } = replicasForAverage(input, undefined, milli(target.averageValue ?? '0'));
  const current = { averageValue: text(average) };
  return {
    replicas,
    name: `pods metric ${metric.name}`,
    status: { type: 'Pods', pods: { metric: deepCopy<MetricIdentifier>(metric), current } },
  };
}

async function byObject(
  input: ProposalInput,
  { metric, describedObject, target }: DeepReadonly<NonNullable<MetricSpec['object']>>,
): Promise<MetricProposal> {
  const { reader, namespace, pods, specReplicas, statusReplicas, tolerances, signal } = input;
  if (target.value === undefined && target.averageValue === undefined)
    throw new MetricsError(
      'invalid object metric source: neither a value target nor an average value target was set',
    );
  const usage = await reader
    .object(metric.name, namespace, describedObject, selectorOf(metric.selector), signal)
    .catch((error: unknown) => {
      throw new MetricsError(
        `unable to get metric ${metric.name}: ${describedObject.kind} on ${namespace} ${describedObject.name}/${toError(error).message}`,
        error,
      );
    });
  const of = {
    describedObject: { ...describedObject },
    metric: deepCopy<MetricIdentifier>(metric),
  };
  if (target.type === 'Value' && target.value !== undefined)
    return {
      replicas: replicasForValue(usage, milli(target.value), { pods, current: specReplicas, tolerances }),
      name: `${describedObject.kind} metric ${metric.name}`,
      status: { type: 'Object', object: { ...of, current: { value: text(usage) } } },
    };
  const share = replicasForShare(usage, milli(target.averageValue ?? '0'), statusReplicas, tolerances);
  return {
    replicas: share.replicas,
    name: `external metric ${metric.name}(${selectorText(metric.selector)})`,
    status: { type: 'Object', object: { ...of, current: { averageValue: text(share.average) } } },
  };
}

async function byExternal(
  input: ProposalInput,
  { metric, target }: DeepReadonly<NonNullable<MetricSpec['external']>>,
): Promise<MetricProposal> {
  const { reader, namespace, pods, specReplicas, statusReplicas, tolerances, signal } = input;
  if (target.value === undefined && target.averageValue === undefined)
    throw new MetricsError(
      'invalid external metric source: neither a value target nor an average value target was set',
    );
  const values = await reader
    .external(metric.name, namespace, selectorOf(metric.selector), signal)
    .catch((error: unknown) => {
      throw new MetricsError(
        `unable to get external metric ${namespace}/${metric.name}/${selectorText(metric.selector)}: ${toError(error).message}`,
        error,
      );
    });
  const usage = values.reduce((sum, value) => sum + value, 0);
  const name = `external metric ${metric.name}(${selectorText(metric.selector)})`;
  const of = { metric: deepCopy<MetricIdentifier>(metric) };
  if (target.averageValue !== undefined) {
    const share = replicasForShare(usage, milli(target.averageValue), statusReplicas, tolerances);
    const current = { averageValue: text(share.average) };
    return { replicas: share.replicas, name, status: { type: 'External', external: { ...of, current } } };
  }
  return {
    replicas: replicasForValue(usage, milli(target.value ?? '0'), {
      pods,
      current: specReplicas,
      tolerances,
    }),
    name,
    status: { type: 'External', external: { ...of, current: { value: text(usage) } } },
  };
}

async function named<T>(metric: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new MetricsError(`unable to get metric ${metric}: ${toError(error).message}`, error);
  }
}

const milli = (value: string): number => Quantity.from(value).milliValue();
const text = (value: number): string => String(Quantity.ofMilli(value));
/** Without a selector every series of the metric counts. */
const selectorOf = (selector: DeepReadonly<LabelSelector> | undefined): Selector =>
  selectorFromObject(selector ?? {});
const selectorText = (selector: DeepReadonly<LabelSelector> | undefined): string =>
  selector === undefined ? 'nil' : String(selectorFromObject(selector));
