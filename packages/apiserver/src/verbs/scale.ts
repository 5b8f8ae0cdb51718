import {
  apiVersionOf,
  applyJsonPatch,
  applyMergePatch,
  builtinSchemas,
  type ElementPath,
  emptyObject,
  FieldManager,
  FieldPath,
  fieldInvalid,
  type LabelSelectorObject,
  type ManagedFieldsEntry,
  newBadRequest,
  newConflict,
  newInvalid,
  ownersOfParent,
  ownersOfScale,
  pathOf,
  type ScaleOwners,
  schemaFor,
  selectorFromObject,
  TypeCompiler,
  TypedFormError,
  toTypedForm,
} from '@windlass/apimachinery';
import { fieldOf, isRecord } from '@windlass/base';
import type { ResourceDefinition, SubresourceDefinition } from '../resource/definition.ts';
import { type Draft, draftOf, type Stored } from '../resource/strategy.ts';
import type { Target } from '../resource/target.ts';
import { getObject } from './get.ts';
import type { PatchType } from './patch.ts';
import type { VerbRuntime } from './runtime.ts';
import { updateObject } from './update.ts';

type ScaleForm = Extract<SubresourceDefinition['form'], { type: 'scale' }>;

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const;

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
  const updated = decodeScale(body);
  const given = updated.metadata?.name ?? '';
  if (given === '')
    throw newBadRequest(
      `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
    );
  if (given !== target.name)
    throw newBadRequest(
      `the name of the object (${given}) does not match the name on the URL (${target.name})`,
    );
  return changeScale(runtime, target, form, (scale) => tracked(runtime, target, scale, updated), options);
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
  { type, patch, force, options }: ScalePatch,
): Promise<Scale> {
  const { fieldManager: manager } = target.context;
  return changeScale(
    runtime,
    target,
    form,
    (scale) => {
      if (type === 'apply')
        return decodeScale(
          managerOf(runtime).apply<object>({ live: scale, applied: configurationOf(patch), manager, force }),
        );
      // Scale has no lists, so the other forms are all a merge.
      const result =
        type === 'json' ? applyJsonPatch<unknown>(scale, patch) : applyMergePatch<unknown>(scale, patch);
      return tracked(runtime, target, scale, decodeScale(result));
    },
    options,
  );
}

function configurationOf(patch: unknown): object {
  if (typeof patch === 'object' && patch !== null) return patch;
  throw newBadRequest('error decoding YAML: the apply patch must be an object');
}

function tracked(runtime: VerbRuntime, { context }: Target, scale: Draft, updated: Draft): Draft {
  return managerOf(runtime).update<Draft>({ live: scale, updated, manager: context.fieldManager }).object;
}

const managers = new WeakMap<VerbRuntime, FieldManager>();

/** Of Scales themselves: whoever writes one owns its replicas. */
function managerOf(runtime: VerbRuntime): FieldManager {
  let manager = managers.get(runtime);
  if (manager === undefined) {
    const schema = schemaFor(SCALE);
    manager = new FieldManager({
      types: new TypeCompiler(builtinSchemas()),
      kind: SCALE,
      ...(schema !== undefined && { schema }),
      subresource: 'scale',
      empty: emptyObject(SCALE),
      clock: runtime.clock,
    });
    managers.set(runtime, manager);
  }
  return manager;
}

function decodeScale(value: unknown): Draft {
  if (typeof value !== 'object' || value === null)
    throw newBadRequest('the body must be an autoscaling/v1 Scale');
  try {
    return toTypedForm('autoscaling/v1', 'Scale', { ...value }).object;
  } catch (error) {
    if (!(error instanceof TypedFormError)) throw error;
    throw newBadRequest(`Scale in version "v1" cannot be handled as a Scale: ${error.message}`);
  }
}

async function changeScale(
  runtime: VerbRuntime,
  target: Target,
  form: ScaleForm,
  change: (scale: Draft) => Draft,
  options: Readonly<Record<string, unknown>>,
): Promise<Scale> {
  const outcome = await updateObject(runtime, {
    target,
    subresource: 'scale',
    options,
    createsMissing: false,
    view: {
      kind: SCALE,
      show: (object) => draftOf({ ...scaleOf(object, form) }),
      take: (draft, shown) => setPath(draft, form.replicasPath, replicasOf(shown)),
    },
    change: (live) => {
      if (live === undefined) throw new TypeError('a scale never creates its object');
      const owners: ScaleOwners = {
        // Read, never changed.
        entries: live.metadata?.managedFields as ManagedFieldsEntry[] | undefined,
        apiVersion: apiVersionOf(target.definition),
        paths: replicasPaths(runtime, target.definition),
      };
      const scale = draftOf({ ...scaleOf(live, form) });
      scale.metadata = { ...scale.metadata, managedFields: ownersOfScale(owners) };
      const wanted = change(scale);
      checkScale(target, wanted, live);
      const draft = draftOf(live);
      setPath(draft, form.replicasPath, replicasOf(wanted));
      const version = wanted.metadata?.resourceVersion ?? '';
      draft.metadata = {
        ...draft.metadata,
        managedFields: ownersOfParent(owners, wanted.metadata?.managedFields),
        ...(version !== '' && { resourceVersion: version }),
      };
      return draft;
    },
  });
  return scaleOf(outcome.object, form);
}

const replicasOf = (scale: Draft): number => numberAt(scale, '.spec.replicas') ?? 0;

/** In each version of the resource: where its replicas are. */
function replicasPaths(runtime: VerbRuntime, { group, plural }: ResourceDefinition): ScaleOwners['paths'] {
  const paths = new Map<string, ElementPath | undefined>();
  for (const definition of runtime.catalog.all()) {
    if (definition.group !== group || definition.plural !== plural) continue;
    const form = definition.subresources.get('scale')?.form;
    const path = form?.type === 'scale' ? pathOf(...segmentsOf(form.replicasPath)) : undefined;
    paths.set(apiVersionOf(definition), path);
  }
  return paths;
}

function checkScale({ definition, name }: Target, scale: Draft, live: Stored): void {
  const replicas = replicasOf(scale);
  // A custom resource says by itself what it may have.
  if (replicas < 0 && !definition.isCustom) {
    throw newInvalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      fieldInvalid(FieldPath.of('spec', 'replicas'), replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const { uid = '' } = scale.metadata ?? {};
  if (uid !== '' && uid !== live.metadata?.uid)
    throw newConflict(
      { group: definition.group, resource: `${definition.plural}/scale` },
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata?.uid ?? ''}`,
    );
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
  // Whoever reads it finds out whether it is one.
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('matchLabels' in value || 'matchExpressions' in value)
    // Custom resources have text only; of a built-in kind this is a selector in its typed form.
    return selectorFromObject(value as LabelSelectorObject).toString();
  // A replication controller's selector in its typed form: labels with their values.
  return selectorFromObject({ matchLabels: value as Record<string, string> }).toString();
}

/** Paths are those of custom resource definitions: `.spec.replicas`. */
function segmentsOf(path: string): string[] {
  return path.split('.').filter((segment) => segment !== '');
}

function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const segment of segmentsOf(path)) value = fieldOf(value, segment);
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
    const next = isRecord(child) ? child : {};
    parent[segment] = next;
    parent = next;
  }
  if (last !== undefined) parent[last] = value;
}
