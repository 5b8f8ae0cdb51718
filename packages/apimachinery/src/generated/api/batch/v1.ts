// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { ObjectReference, PodTemplateSpec } from '../core/v1.ts';
import type { LabelSelector, Time } from '../meta/v1.ts';

export interface CronJob extends NamespacedKind {
  apiVersion?: 'batch/v1';
  kind?: 'CronJob';
  metadata?: ObjectMeta;
  spec: CronJobSpec;
  status?: CronJobStatus;
}
export const CronJob: ResourceType<CronJob> = {
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  namespaced: true,
};

export interface CronJobList extends KubeList<CronJob> {
  apiVersion?: 'batch/v1';
  kind?: 'CronJobList';
}

export interface CronJobSpec {
  concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace' | (string & {});
  failedJobsHistoryLimit?: number;
  jobTemplate: JobTemplateSpec;
  schedule: string;
  startingDeadlineSeconds?: number;
  successfulJobsHistoryLimit?: number;
  suspend?: boolean;
  timeZone?: string;
}

export interface CronJobStatus {
  active?: ObjectReference[];
  lastScheduleTime?: Time;
  lastSuccessfulTime?: Time;
}

export interface Job extends NamespacedKind {
  apiVersion?: 'batch/v1';
  kind?: 'Job';
  metadata?: ObjectMeta;
  spec?: JobSpec;
  status?: JobStatus;
}
export const Job: ResourceType<Job> = {
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  namespaced: true,
};

export interface JobCondition {
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface JobList extends KubeList<Job> {
  apiVersion?: 'batch/v1';
  kind?: 'JobList';
}

export interface JobSpec {
  activeDeadlineSeconds?: number;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  completionMode?: 'Indexed' | 'NonIndexed' | (string & {});
  completions?: number;
  managedBy?: string;
  manualSelector?: boolean;
  maxFailedIndexes?: number;
  parallelism?: number;
  podFailurePolicy?: PodFailurePolicy;
  podReplacementPolicy?: 'Failed' | 'TerminatingOrFailed' | (string & {});
  selector?: LabelSelector;
  successPolicy?: SuccessPolicy;
  suspend?: boolean;
  template: PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
}

export interface JobStatus {
  active?: number;
  completedIndexes?: string;
  completionTime?: Time;
  conditions?: JobCondition[];
  failed?: number;
  failedIndexes?: string;
  ready?: number;
  startTime?: Time;
  succeeded?: number;
  terminating?: number;
  uncountedTerminatedPods?: UncountedTerminatedPods;
}

export interface JobTemplateSpec {
  metadata?: ObjectMeta;
  spec?: JobSpec;
}

export interface PodFailurePolicy {
  rules: PodFailurePolicyRule[];
}

export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string;
  operator: 'In' | 'NotIn' | (string & {});
  values: number[];
}

export interface PodFailurePolicyOnPodConditionsPattern {
  status?: string;
  type: string;
}

export interface PodFailurePolicyRule {
  action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore' | (string & {});
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[];
}

export interface SuccessPolicy {
  rules: SuccessPolicyRule[];
}

export interface SuccessPolicyRule {
  succeededCount?: number;
  succeededIndexes?: string;
}

export interface UncountedTerminatedPods {
  failed?: string[];
  succeeded?: string[];
}
