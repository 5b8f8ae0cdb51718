// From what metrics ask for to what is done: not too often, not too fast, and within limits.
import type { DeepReadonly } from '@windlass/apimachinery';
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '@windlass/apimachinery/api/autoscaling/v2';
import type { AutoscalerSettings } from '../options/autoscaler-options.ts';
import type { ScalingHistory } from './scaling-history.ts';

const SCALE_UP_FACTOR = 2;
const SCALE_UP_MINIMUM = 4;

export interface RulesInput {
  readonly behavior: DeepReadonly<HorizontalPodAutoscalerBehavior> | undefined;
  readonly current: number;
  /** What the metrics ask for. */
  readonly proposed: number;
  readonly min: number;
  readonly max: number;
  readonly history: ScalingHistory;
  readonly now: number;
  readonly settings: AutoscalerSettings;
}

export interface Stated {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export interface RulesOutput {
  readonly desired: number;
  readonly ableToScale: Stated;
  readonly scalingLimited: Stated;
}

type Rules = DeepReadonly<HPAScalingRules>;

const UP: Rules = {
  selectPolicy: 'Max',
  policies: [
    { type: 'Percent', value: 100, periodSeconds: 15 },
    { type: 'Pods', value: 4, periodSeconds: 15 },
  ],
};
const DOWN: Rules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

/** Applies the rules, and notes what was asked for. */
export function applyRules(input: RulesInput): RulesOutput {
  const { proposed, behavior } = input;
  const stabilized = behavior === undefined ? stabilize(input) : stabilizeBy(input, behavior);
  const limited = behavior === undefined ? limit(input, stabilized) : limitBy(input, behavior, stabilized);
  return {
    desired: limited.replicas,
    ableToScale:
      stabilized === proposed
        ? able('ReadyForNewScale', 'recommended size matches current size')
        : stabilizedState(input),
    scalingLimited: {
      status: limited.replicas === stabilized ? 'False' : 'True',
      reason: limited.reason,
      message: limited.message,
    },
  };
}

const able = (reason: string, message: string): Stated => ({ status: 'True', reason, message });

function stabilizedState({ behavior, proposed, current }: RulesInput): Stated {
  if (behavior !== undefined && proposed >= current)
    return able(
      'ScaleUpStabilized',
      'recent recommendations were lower than current one, applying the lowest recent recommendation',
    );
  return able(
    'ScaleDownStabilized',
    'recent recommendations were higher than current one, applying the highest recent recommendation',
  );
}

function stabilize({ history, proposed, now, settings }: RulesInput): number {
  const windowMs = settings.downscaleStabilizationMs;
  // The end of the window counts.
  const result = Math.max(proposed, history.highestSince(now - windowMs - 1));
  history.recommended(proposed, now, windowMs);
  return result;
}

function stabilizeBy(
  { history, proposed, current, now, settings }: RulesInput,
  behavior: DeepReadonly<HorizontalPodAutoscalerBehavior>,
): number {
  const windowMs = (rules: Rules | undefined, standard: number): number =>
    rules?.stabilizationWindowSeconds === undefined ? standard : rules.stabilizationWindowSeconds * 1000;
  const upMs = windowMs(behavior.scaleUp, 0);
  const downMs = windowMs(behavior.scaleDown, settings.downscaleStabilizationMs);
  const up = Math.min(proposed, history.lowestSince(now - upMs));
  const down = Math.max(proposed, history.highestSince(now - downMs));
  history.recommended(proposed, now, Math.max(upMs, downMs));
  return Math.min(Math.max(current, up), down);
}

interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

const WITHIN = {
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
};
const TOO_MANY = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const TOO_FEW = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const TOO_FAST_UP = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const TOO_FAST_DOWN = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

function limit({ current, min, max }: RulesInput, replicas: number): Limited {
  const fastest = Math.max(SCALE_UP_FACTOR * current, SCALE_UP_MINIMUM);
  if (replicas < min) return { replicas: min, ...TOO_FEW };
  const most = Math.min(max, fastest);
  if (replicas > most) return { replicas: most, ...(max > fastest ? TOO_FAST_UP : TOO_MANY) };
  return { replicas, ...WITHIN };
}

function limitBy(
  input: RulesInput,
  behavior: DeepReadonly<HorizontalPodAutoscalerBehavior>,
  replicas: number,
): Limited {
  const { current, min, max } = input;
  if (replicas > current) {
    const fastest = Math.max(current, policyLimit(input, behavior.scaleUp, UP, 1));
    const most = Math.min(max, fastest);
    if (replicas > most) return { replicas: most, ...(max > fastest ? TOO_FAST_UP : TOO_MANY) };
  } else if (replicas < current) {
    const fastest = Math.min(current, policyLimit(input, behavior.scaleDown, DOWN, -1));
    const least = Math.max(min, fastest);
    if (replicas < least) return { replicas: least, ...(min < fastest ? TOO_FAST_DOWN : TOO_FEW) };
  }
  return { replicas, ...WITHIN };
}

/** How far one may go now. Of several policies the one with the greatest change counts, unless told otherwise. */
function policyLimit(
  { current, history, now }: RulesInput,
  rules: Rules | undefined,
  standard: Rules,
  direction: 1 | -1,
): number {
  const select = rules?.selectPolicy ?? standard.selectPolicy;
  if (select === 'Disabled') return current;
  const limits = (rules?.policies ?? standard.policies ?? []).map((policy) =>
    limitOf(policy, history.replicasAt(now - policy.periodSeconds * 1000, current), direction),
  );
  return (select === 'Min') === (direction === 1) ? Math.min(...limits) : Math.max(...limits);
}

function limitOf({ type, value }: DeepReadonly<HPAScalingPolicy>, start: number, direction: 1 | -1): number {
  if (type === 'Pods') return start + direction * value;
  const share = start * (1 + (direction * value) / 100);
  return direction === 1 ? Math.ceil(share) : Math.trunc(share);
}

/** As far back as any policy looks, in milliseconds. */
export function longestPeriodMs(behavior: DeepReadonly<HorizontalPodAutoscalerBehavior>): number {
  const policies = [
    ...(behavior.scaleUp?.policies ?? UP.policies ?? []),
    ...(behavior.scaleDown?.policies ?? DOWN.policies ?? []),
  ];
  return Math.max(0, ...policies.map(({ periodSeconds }) => periodSeconds * 1000));
}
