import {
  applyJsonPatch,
  applyMergePatch,
  FieldPath,
  fieldInvalid,
  type LabelSelectorObject,
  newBadRequest,
  newInvalid,
  parseLabelSelector,
  selectorFromObject,
} from '@windlass/apimachinery';
import type { SubresourceDefinition } from '../resource/definition.ts';
import type { Draft, Stored } from '../resource/strategy.ts';
import { getObject } from './get.ts';
import type { PatchType } from './patch.ts';
import type { VerbRuntime } from './runtime.ts';
import type { Target } from './target.ts';
import { updateObject } from './update.ts';

type ScaleForm = Extract<SubresourceDefinition['form'], { type: 'scale' }>;

/** autoscaling/v1 Scale: how many there are and shall be, the same for every kind that can be scaled. */
export interface Scale {
  readonly kind: 'Scale';
  readonly apiVersion: 'autoscaling/v1';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: { readonly replicas?: number };
  readonly status: { readonly replicas: number; readonly selector?: string };
}

export async function readScale(runtime: VerbRuntime, target: Target, form: ScaleForm): Promise<Scale> {
  return scaleOf((await getObject(runtime, target)).object, form);
}

export function writeScale(
  runtime: VerbRuntime,
  target: Target,
  form: ScaleForm,
  body: unknown,
  options: Readonly<Record<string, unknown>>,
): Promise<Scale> {
  return changeScale(runtime, target, form, () => body, options);
}

export interface ScalePatch {
  readonly type: PatchType;
  readonly patch: unknown;
  readonly force: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

export function patchScale(
  runtime: VerbRuntime,
  target: Target,
  form: ScaleForm,
  { type, patch, options }: ScalePatch,
): Promise<Scale> {
  // Scale has no lists, so the other forms are all a merge.
  const apply = type === 'json' ? applyJsonPatch<unknown> : applyMergePatch<unknown>;
  return changeScale(runtime, target, form, (scale) => apply(scale, patch), options);
}

async function changeScale(
  runtime: VerbRuntime,
  target: Target,
  form: ScaleForm,
  change: (scale: Scale) => unknown,
  options: Readonly<Record<string, unknown>>,
): Promise<Scale> {
  const { definition, context, name } = target;
  const outcome = await updateObject(runtime, {
    target,
    subresource: 'scale',
    options,
    change: (live) => {
      if (live === undefined) throw new TypeError('a scale never creates its object');
      const wanted = checkedScale(change(scaleOf(live, form)), name);
      const draft = structuredClone(live) as Draft;
      setPath(draft, form.replicasPath, wanted.replicas);
      draft.metadata = { ...draft.metadata };
      if (wanted.resourceVersion === undefined) delete draft.metadata.resourceVersion;
      else draft.metadata.resourceVersion = wanted.resourceVersion;
      return runtime
        .fieldManager(definition, 'scale')
        .update<Draft>({ live: live as Draft, updated: draft, manager: context.fieldManager }).object;
    },
  });
  return scaleOf(outcome.object, form);
}

function checkedScale(
  value: unknown,
  name: string,
): { replicas: number; resourceVersion: string | undefined } {
  if (typeof value !== 'object' || value === null)
    throw newBadRequest('the body must be an autoscaling/v1 Scale');
  const { spec, metadata } = value as {
    spec?: { replicas?: unknown };
    metadata?: { resourceVersion?: unknown; name?: unknown };
  };
  const replicas = spec?.replicas ?? 0;
  const path = FieldPath.of('spec', 'replicas');
  if (typeof replicas !== 'number' || !Number.isInteger(replicas))
    throw newBadRequest('spec.replicas of the Scale must be a whole number');
  if (metadata?.name !== undefined && metadata.name !== name)
    throw newBadRequest(`the name of the Scale does not match the name on the URL (${name})`);
  if (replicas < 0) {
    throw newInvalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      fieldInvalid(path, replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const version = metadata?.resourceVersion;
  return { replicas, resourceVersion: typeof version === 'string' && version !== '' ? version : undefined };
}

function scaleOf(object: Stored, form: ScaleForm): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata ?? {};
  const replicas = numberAt(object, form.replicasPath);
  const selector =
    form.selectorPath === undefined ? undefined : selectorText(valueAt(object, form.selectorPath));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(object, form.statusReplicasPath) ?? 0,
      ...(selector !== undefined && selector !== '' && { selector }),
    },
  };
}

/** A custom resource has it as text; built-in kinds as a selector object or, the oldest, as plain labels. */
function selectorText(value: unknown): string | undefined {
  if (typeof value === 'string') return parseLabelSelector(value).toString();
  if (typeof value !== 'object' || value === null) return undefined;
  if ('matchLabels' in value || 'matchExpressions' in value)
    return selectorFromObject(value as LabelSelectorObject).toString();
  return selectorFromObject({ matchLabels: value as Record<string, string> }).toString();
}

/** Paths are those of custom resource definitions: `.spec.replicas`. */
function segmentsOf(path: string): string[] {
  return path.split('.').filter((segment) => segment !== '');
}

function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const segment of segmentsOf(path)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

function numberAt(object: unknown, path: string): number | undefined {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : undefined;
}

function setPath(object: Record<string, unknown>, path: string, value: number): void {
  const segments = segmentsOf(path);
  const last = segments.pop();
  let parent = object;
  for (const segment of segments) {
    const child = parent[segment];
    if (typeof child !== 'object' || child === null) parent[segment] = {};
    parent = parent[segment] as Record<string, unknown>;
  }
  if (last !== undefined) parent[last] = value;
}
