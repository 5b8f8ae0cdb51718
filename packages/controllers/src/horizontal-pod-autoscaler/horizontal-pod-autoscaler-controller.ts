import {
  type Cached,
  deepCopy,
  deepEqual,
  formatTime,
  parseLabelSelector,
  parseTime,
  Quantity,
  type Selector,
  semanticEqual,
} from '@windlass/apimachinery';
import type { Scale } from '@windlass/apimachinery/api/autoscaling/v1';
import {
  HorizontalPodAutoscaler,
  type HorizontalPodAutoscalerCondition,
  type HorizontalPodAutoscalerStatus,
  type MetricStatus,
} from '@windlass/apimachinery/api/autoscaling/v2';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import { type DynamicObject, type ResourceClient, retryOnConflict } from '@windlass/client';
import type { KindClient, Manager, ObjectEvent, ReconcileContext, ReconcileOutcome } from '@windlass/runtime';
import { ScaleSelectorError } from '../errors.ts';
import { type AutoscalerSettings, DEFAULT_AUTOSCALER } from '../options/autoscaler-options.ts';
import type { ControllerOptions } from '../options/controller-options.ts';
import { withKind } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import { ApiMetricsReader } from './api-metrics-reader.ts';
import { type ScalingConditions, withState } from './conditions.ts';
import { decideScale, type MetricsAnswer } from './decide-scale.ts';
import { proposeFor } from './metric-proposal.ts';
import type { MetricsReader } from './metrics-reader.ts';
import type { Tolerances } from './replica-calculator.ts';
import { ScalingHistory } from './scaling-history.ts';
import { longestPeriodMs } from './scaling-rules.ts';

type Scalable = ResourceClient<DynamicObject>;
type ReadonlyAutoscaler = Cached<HorizontalPodAutoscaler>;

/** What one look comes to. */
interface Outcome {
  readonly conditions: ScalingConditions;
  readonly current: number | undefined;
  readonly desired: number | undefined;
  readonly metrics: readonly MetricStatus[] | undefined;
  readonly hasScaled: boolean;
  readonly error: Error | undefined;
}

/** Scales whatever can be scaled by what its pods use, or by any other metric. */
export function addHorizontalPodAutoscalerController(manager: Manager, options: ControllerOptions): void {
  new HorizontalPodAutoscalerController(manager, options).register(manager, options);
}

class HorizontalPodAutoscalerController {
  readonly #manager: Manager;
  readonly #autoscalers: KindClient<HorizontalPodAutoscaler>;
  readonly #pods: KindClient<Pod>;
  readonly #reader: MetricsReader;
  readonly #settings: AutoscalerSettings;
  readonly #histories = new Map<string, ScalingHistory>();
  /** Which pods each autoscaler has found its own, to notice two that pull at the same ones. */
  readonly #selectors = new Map<string, Selector>();

  constructor(manager: Manager, { horizontalPodAutoscaler }: ControllerOptions) {
    this.#manager = manager;
    this.#settings = { ...DEFAULT_AUTOSCALER, ...horizontalPodAutoscaler };
    this.#autoscalers = manager.objects(HorizontalPodAutoscaler);
    this.#pods = manager.objects(Pod);
    this.#reader = new ApiMetricsReader(manager.client);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    manager
      .controller(name)
      .for(HorizontalPodAutoscaler, { predicates: [wishChanges] })
      .reconcile((key, context) => this.#reconcile(key, context), {
        concurrency,
        recorder: manager.recorder('horizontal-pod-autoscaler'),
      });
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileOutcome> {
    const { signal, logger } = context;
    const found = await this.#autoscalers.find(key, { signal });
    if (found === undefined) {
      this.#histories.delete(key);
      this.#selectors.delete(key);
      return undefined;
    }
    const now = this.#manager.clock.now();
    const age = now - parseTime(found.metadata.creationTimestamp ?? formatTime(0));
    const { syncPeriodMs } = this.#settings;
    // What a new one scales may be on its way.
    if (age < syncPeriodMs) return { requeueAfterMs: syncPeriodMs - age };
    const outcome = await this.#scale(key, found, context);
    await this.#writeStatus(found, outcome, signal);
    // What is wrong is in its conditions and events; it is looked at again as always.
    if (outcome.error !== undefined)
      logger.warn('the autoscaler could not do its work', { error: outcome.error });
    return { requeueAfterMs: syncPeriodMs };
  }

  async #scale(key: string, found: ReadonlyAutoscaler, context: ReconcileContext): Promise<Outcome> {
    const { recorder, signal } = context;
    const subject = withKind(found, HorizontalPodAutoscaler);
    const now = this.#manager.clock.now();
    let conditions: ScalingConditions = found.status?.conditions ?? [];
    const end = (more: Partial<Outcome>): Outcome => ({
      conditions,
      current: undefined,
      desired: undefined,
      metrics: undefined,
      hasScaled: false,
      error: undefined,
      ...more,
    });
    let target: { readonly scale: Scale; readonly resource: Scalable };
    try {
      target = await this.#target(found, signal);
    } catch (error) {
      const { message } = toError(error);
      recorder.warning(subject, 'FailedGetScale', message);
      const text = `the HPA controller was unable to get the target's current scale: ${message}`;
      const state = { status: 'False', reason: 'FailedGetScale', message: text } as const;
      conditions = withState(conditions, 'AbleToScale', state, now);
      return end({ error: toError(error) });
    }
    const message = "the HPA controller was able to get the target's current scale";
    const state = { status: 'True', reason: 'SucceededGetScale', message } as const;
    conditions = withState(conditions, 'AbleToScale', state, now);
    const current = target.scale.spec?.replicas ?? 0;
    const history = this.#historyOf(key);
    history.begin(current, now);
    const decision = await decideScale({
      autoscaler: found,
      current,
      history,
      now,
      settings: this.#settings,
      ask: () => this.#ask(key, found, target.scale, context),
    });
    for (const [type, stated] of decision.states) conditions = withState(conditions, type, stated, now);
    for (const { reason, note } of decision.warnings) recorder.warning(subject, reason, note);
    const { metrics, error } = decision;
    if (decision.isStuck) return end({ current, metrics, error });
    const { desired } = decision;
    if (desired === current) return end({ current, desired, metrics, error });
    try {
      await this.#resize(target.resource, found, desired, signal);
    } catch (thrown) {
      const { message: problem } = toError(thrown);
      const note = `New size: ${desired}; reason: ${decision.reason}; error: ${problem}`;
      recorder.warning(subject, 'FailedRescale', note);
      const text = `the HPA controller was unable to update the target scale: ${problem}`;
      const failed = { status: 'False', reason: 'FailedUpdateScale', message: text } as const;
      conditions = withState(conditions, 'AbleToScale', failed, now);
      return end({ current, metrics, error: toError(thrown) });
    }
    const text = `the HPA controller was able to update the target scale to ${desired}`;
    const done = { status: 'True', reason: 'SucceededRescale', message: text } as const;
    conditions = withState(conditions, 'AbleToScale', done, now);
    recorder.normal(
      subject,
      'SuccessfulRescale',
      `New size: ${desired}; reason: ${decision.reason}`,
      // Each step is an event of its own.
      { action: `ScaleFrom${current}To${desired}` },
    );
    const { behavior } = found.spec;
    if (behavior !== undefined) history.scaled(current, desired, now, longestPeriodMs(behavior));
    return end({ current, desired, metrics, hasScaled: true, error });
  }

  async #target(
    { spec, metadata }: ReadonlyAutoscaler,
    signal: AbortSignal,
  ): Promise<{ readonly scale: Scale; readonly resource: Scalable }> {
    const { apiVersion = 'v1', kind, name } = spec.scaleTargetRef;
    const slash = apiVersion.indexOf('/');
    const group = slash === -1 ? '' : apiVersion.slice(0, slash);
    const resource = this.#manager.client
      .resource({ group, version: apiVersion.slice(slash + 1), kind })
      .namespace(metadata.namespace);
    return { scale: await resource.scale.get(name, { signal }), resource };
  }

  async #resize(
    resource: Scalable,
    { spec }: ReadonlyAutoscaler,
    replicas: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { name } = spec.scaleTargetRef;
    await retryOnConflict(async () => {
      const scale = await resource.scale.get(name, { signal });
      await resource.scale.replace({ ...scale, spec: { ...scale.spec, replicas } }, { signal });
    });
  }

  /** All metrics, one after the other. */
  async #ask(
    key: string,
    autoscaler: ReadonlyAutoscaler,
    scale: Scale,
    { signal }: ReconcileContext,
  ): Promise<MetricsAnswer> {
    const namespace = autoscaler.metadata.namespace;
    const { selector, pods } = await this.#podsOf(key, namespace, scale.status?.selector ?? '', signal);
    const answers = [];
    for (const spec of autoscaler.spec.metrics ?? [])
      answers.push(
        await proposeFor({
          spec,
          reader: this.#reader,
          namespace,
          selector,
          pods,
          specReplicas: scale.spec?.replicas ?? 0,
          statusReplicas: scale.status?.replicas ?? 0,
          tolerances: tolerancesOf(autoscaler, this.#settings.tolerance),
          now: this.#manager.clock.now(),
          settings: this.#settings,
          signal,
        }),
      );
    return answers;
  }

  /** @throws ScaleSelectorError */
  async #podsOf(
    key: string,
    namespace: string,
    text: string,
    signal: AbortSignal,
  ): Promise<{ readonly selector: Selector; readonly pods: readonly ReadonlyPod[] }> {
    if (text === '')
      throw new ScaleSelectorError(
        'SelectorRequired',
        'selector is required',
        "the HPA target's scale is missing a selector",
      );
    let selector: Selector;
    try {
      selector = parseLabelSelector(text);
    } catch (error) {
      const problem = `couldn't convert selector into a corresponding internal selector object: ${toError(error).message}`;
      throw new ScaleSelectorError('InvalidSelector', problem);
    }
    this.#selectors.set(key, selector);
    const pods = await this.#pods.list({ namespace, selector, signal });
    const pulling = [...this.#selectors].filter(
      ([other, of]) =>
        other.startsWith(`${namespace}/`) && pods.some(({ metadata }) => of.matches(metadata?.labels)),
    );
    if (pulling.length > 1) {
      const names = pulling.map(([other]) => `{${other.slice(namespace.length + 1)} ${namespace}}`);
      throw new ScaleSelectorError(
        'AmbiguousSelector',
        `pods by selector ${text} are controlled by multiple HPAs: [${names.join(' ')}]`,
      );
    }
    return { selector, pods };
  }

  async #writeStatus(found: ReadonlyAutoscaler, outcome: Outcome, signal: AbortSignal): Promise<void> {
    const old = found.status;
    const { current, desired, metrics, conditions, hasScaled } = outcome;
    const lastScaleTime = hasScaled ? formatTime(this.#manager.clock.now()) : old?.lastScaleTime;
    const status: HorizontalPodAutoscalerStatus = {
      currentReplicas: current ?? old?.currentReplicas ?? 0,
      desiredReplicas: desired ?? old?.desiredReplicas ?? 0,
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      currentMetrics:
        metrics === undefined && current === undefined
          ? deepCopy<MetricStatus[]>(old?.currentMetrics ?? [])
          : [...(metrics ?? [])],
      conditions: deepCopy<HorizontalPodAutoscalerCondition[]>(conditions),
    };
    if (semanticEqual(old ?? {}, status)) return;
    await this.#autoscalers.status.update(
      { ...deepCopy<HorizontalPodAutoscaler>(found), status },
      { signal },
    );
  }

  #historyOf(key: string): ScalingHistory {
    const known = this.#histories.get(key);
    if (known !== undefined) return known;
    const made = new ScalingHistory();
    this.#histories.set(key, made);
    return made;
  }
}

/** Its own status is no reason to look again before it is time. */
function wishChanges(event: ObjectEvent<HorizontalPodAutoscaler>): boolean {
  return event.type !== 'update' || !deepEqual(event.old.spec, event.object.spec);
}

function tolerancesOf({ spec }: ReadonlyAutoscaler, standard: number): Tolerances {
  const of = (tolerance: string | undefined): number =>
    tolerance === undefined ? standard : Quantity.from(tolerance).asNumber();
  const { scaleDown, scaleUp } = spec.behavior ?? {};
  return { down: of(scaleDown?.tolerance), up: of(scaleUp?.tolerance) };
}
