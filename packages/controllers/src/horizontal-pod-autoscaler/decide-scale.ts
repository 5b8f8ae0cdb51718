import type { Cached } from '@windlass/apimachinery';
import type { HorizontalPodAutoscaler, MetricStatus } from '@windlass/apimachinery/api/autoscaling/v2';
import { toError } from '@windlass/base';
import { MetricsError, ScaleSelectorError } from '../errors.ts';
import type { AutoscalerSettings } from '../options/autoscaler-options.ts';
import type { MetricFailure, MetricProposal } from './metric-proposal.ts';
import type { ScalingHistory } from './scaling-history.ts';
import { applyRules, type Stated } from './scaling-rules.ts';

/** What each metric says, in the order of the autoscaler's list. */
export type MetricsAnswer = readonly (MetricProposal | MetricFailure)[];

export interface DecisionInput {
  readonly autoscaler: Cached<HorizontalPodAutoscaler>;
  readonly current: number;
  readonly history: ScalingHistory;
  readonly now: number;
  readonly settings: AutoscalerSettings;
  /** Only asked when it matters. */
  readonly ask: () => Promise<MetricsAnswer>;
}

export type StateChange = readonly [type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited', state: Stated];

export interface Decision {
  readonly desired: number;
  /** Why it is another number. */
  readonly reason: string;
  /** Nothing can be said, and nothing is done. */
  readonly isStuck: boolean;
  readonly states: readonly StateChange[];
  readonly warnings: readonly { readonly reason: string; readonly note: string }[];
  /** Undefined when metrics were not asked. */
  readonly metrics: readonly MetricStatus[] | undefined;
  /** Also when some metrics could be read. */
  readonly error: Error | undefined;
}

export async function decideScale(input: DecisionInput): Promise<Decision> {
  const { autoscaler, current, ask } = input;
  const { minReplicas: min = 1, maxReplicas: max } = autoscaler.spec;
  const without = (desired: number, reason: string, states: readonly StateChange[] = []): Decision => ({
    desired,
    reason,
    isStuck: false,
    states,
    warnings: [],
    metrics: undefined,
    error: undefined,
  });
  // Whoever sets it to zero wants it off, and not scaled.
  if (current === 0) {
    const message = 'scaling is disabled since the replica count of the target is zero';
    return without(0, '', [['ScalingActive', { status: 'False', reason: 'ScalingDisabled', message }]]);
  }
  if (current > max) return without(max, 'Current number of replicas above Spec.MaxReplicas');
  if (current < min) return without(min, 'Current number of replicas below Spec.MinReplicas');
  try {
    return byMetrics(input, await ask());
  } catch (error) {
    if (!(error instanceof ScaleSelectorError)) throw error;
    const note = error.message;
    const state = { status: 'False', reason: error.condition, message: error.statement } as const;
    return {
      ...without(current, '', [['ScalingActive', state]]),
      isStuck: true,
      warnings: [
        { reason: error.event, note },
        { reason: 'FailedComputeMetricsReplicas', note },
      ],
      error,
    };
  }
}

const isFailure = (answer: MetricProposal | MetricFailure): answer is MetricFailure => 'problem' in answer;

/** The metric that asks for most counts. With some that cannot be read, nothing is taken away. */
function byMetrics(input: DecisionInput, answers: MetricsAnswer): Decision {
  const { autoscaler, current, history, now, settings } = input;
  const failures = answers.filter(isFailure);
  const proposals = answers.filter((answer): answer is MetricProposal => !isFailure(answer));
  const best = proposals.reduce<MetricProposal | undefined>(
    (most, one) => (most === undefined || one.replicas > most.replicas ? one : most),
    undefined,
  );
  const metrics = answers.map((answer) => (isFailure(answer) ? { type: '' } : answer.status));
  const warnings = failures.map(({ reason, problem }) => ({ reason, note: problem }));
  const [first] = failures;
  const error =
    first === undefined
      ? undefined
      : new MetricsError(
          `invalid metrics (${failures.length} invalid out of ${answers.length}), first error is: ${first.summary}`,
        );
  if (best === undefined || (first !== undefined && best.replicas < current)) {
    const message = `the HPA was unable to compute the replica count: ${first?.problem ?? 'it has no metrics'}`;
    const reason = first?.reason ?? 'InvalidMetricSourceType';
    const note = toError(error ?? message).message;
    return {
      desired: current,
      reason: '',
      isStuck: true,
      states: [['ScalingActive', { status: 'False', reason, message }]],
      warnings: [...warnings, { reason: 'FailedComputeMetricsReplicas', note }],
      metrics,
      error,
    };
  }
  const found = `the HPA was able to successfully calculate a replica count from ${best.name}`;
  const { minReplicas: min = 1, maxReplicas: max, behavior } = autoscaler.spec;
  const proposed = best.replicas;
  const { desired, ableToScale, scalingLimited } = applyRules({
    behavior,
    current,
    proposed,
    min,
    max,
    history,
    now,
    settings,
  });
  return {
    desired,
    reason: proposed > current ? `${best.name} above target` : 'All metrics below target',
    isStuck: false,
    states: [
      ['ScalingActive', { status: 'True', reason: 'ValidMetricFound', message: found }],
      ['AbleToScale', ableToScale],
      ['ScalingLimited', scalingLimited],
    ],
    warnings,
    metrics,
    error,
  };
}
