import { isNotFound } from '@windlass/apimachinery';
import {
  type Clock,
  InvalidArgumentError,
  isCancelled,
  realClock,
  throwIfAborted,
  toError,
} from '@windlass/base';
import type { Client, DynamicObject } from '../client.ts';
import { InvalidRequestError, NoMatchError } from '../errors.ts';
import type { FieldValidation } from '../resource/options.ts';
import { inApplyOrder } from './apply-order.ts';
import { ApplyManifestsError, type ManifestResult } from './apply-results.ts';
import { APPLY_SET_LABELS } from './apply-set.ts';
import { ApplySetKeeper, type ApplySetOptions, contentsOfObjects } from './apply-set-keeper.ts';
import type { Manifest } from './manifest.ts';
import { ManifestError, type ManifestSource, readManifests } from './read-manifests.ts';
import { type Applied, applyOne, callOptions, clientOf, whenEstablished } from './server-objects.ts';

/** How manifests are applied, and what is pruned. */
export interface ApplyManifestsOptions {
  /** Who owns what the manifests say. */
  readonly fieldManager: string;
  /** For what names none and needs one. @default the client's */
  readonly namespace?: string;
  /** Take fields over from other managers instead of failing. @default false */
  readonly force?: boolean;
  /** Ask the server for everything, and change nothing. @default false */
  readonly dryRun?: boolean;
  /** Deletes what an earlier call applied as part of the same set, and this one does not. @default nothing is deleted */
  readonly prune?: { readonly applySet: string | ApplySetOptions };
  /** What becomes of fields that the server does not know. @default Strict: the object fails */
  readonly fieldValidation?: FieldValidation;
  /** So long a new definition may take until its objects can be written. @default 60000 */
  readonly establishTimeoutMs?: number;
  /** Told of each object when its turn is over. */
  readonly onResult?: (result: ManifestResult) => void;
  readonly signal?: AbortSignal;
  /** @default the machine's */
  readonly clock?: Clock;
}

const DEFAULT_ESTABLISH_TIMEOUT_MS = 60_000;
const DEFINITION = 'apiextensions.k8s.io';

/**
 * Applies many manifests by server-side apply, in an order in which each finds what it needs: namespaces and
 * definitions first, what judges writes last. An object that fails holds up no other; nothing is pruned then.
 * @returns each result, in the order in which they came
 * @throws ManifestError before anything is sent, when a manifest cannot be read
 * @throws ApplyManifestsError at the end, with all results, when an object failed
 */
export async function applyManifests(
  client: Client,
  documents: ManifestSource | readonly ManifestSource[],
  options: ApplyManifestsOptions,
): Promise<readonly ManifestResult[]> {
  const { fieldManager } = options;
  if (typeof fieldManager !== 'string' || fieldManager === '')
    throw new InvalidArgumentError('fieldManager', fieldManager, 'a text that names who applies');
  // A list of sources is an array, and no source is.
  const sources = (Array.isArray(documents) ? documents : [documents]) as readonly ManifestSource[];
  return new ManifestApplier(client, inApplyOrder(await readManifests(sources)), options).run();
}

class ManifestApplier {
  readonly #client: Client;
  readonly #manifests: readonly Manifest[];
  readonly #options: ApplyManifestsOptions;
  readonly #namespace: string;
  readonly #results: ManifestResult[] = [];
  #applySet: ApplySetKeeper | undefined = undefined;

  constructor(client: Client, manifests: readonly Manifest[], options: ApplyManifestsOptions) {
    this.#client = client;
    this.#manifests = manifests;
    this.#options = options;
    this.#namespace = options.namespace ?? client.namespace;
  }

  async run(): Promise<readonly ManifestResult[]> {
    this.#refuseMembers();
    this.#applySet = await this.#openApplySet();
    const { namespace: home } = this.#applySet ?? {};
    // The parent of a set may live in a namespace that the set brings.
    const [first, rest] = split(
      this.#manifests,
      ({ group, kind, name }) => group === '' && kind === 'Namespace' && name === home,
    );
    await this.#applyAll(first);
    const contents = contentsOfObjects(await this.#placed());
    await this.#applySet?.widen(contents);
    await this.#applyAll(rest);
    const isComplete = this.#failed.length === 0;
    if (isComplete && this.#applySet !== undefined) {
      for (const result of await this.#applySet.prune(this.#uids())) this.#note(result);
      // Who was not deleted must be found again by the next prune.
      if (this.#failed.length === 0) await this.#applySet.narrow(contentsOfObjects(this.#kept()));
    }
    if (this.#failed.length > 0)
      throw new ApplyManifestsError(this.#results, !isComplete && this.#applySet !== undefined);
    return this.#results;
  }

  get #failed(): readonly ManifestResult[] {
    return this.#results.filter(({ action }) => action === 'failed');
  }

  #kept(): readonly ManifestResult[] {
    return this.#results.filter(({ action }) => action !== 'pruned');
  }

  #uids(): ReadonlySet<string> {
    return new Set(this.#results.flatMap(({ object }) => object?.metadata?.uid ?? []));
  }

  async #openApplySet(): Promise<ApplySetKeeper | undefined> {
    const { prune, fieldManager, dryRun = false, signal } = this.#options;
    if (prune === undefined) return undefined;
    const { applySet } = prune;
    return ApplySetKeeper.open(
      { client: this.#client, namespace: this.#namespace, fieldManager, dryRun, signal },
      typeof applySet === 'string' ? { name: applySet } : applySet,
    );
  }

  /** @throws ManifestError for a manifest that says itself to which set it belongs */
  #refuseMembers(): void {
    if (this.#options.prune === undefined) return;
    for (const { object, kind, name, from } of this.#manifests)
      if (object.metadata?.labels?.[APPLY_SET_LABELS.partOf] !== undefined)
        throw new ManifestError(
          `${from}: the ${kind} ${name} has the label ${APPLY_SET_LABELS.partOf}, which the ApplySet sets; remove it`,
        );
  }

  /** With the namespaces in which they will be. A kind that comes with its definition may have them or not. */
  async #placed(): Promise<Manifest[]> {
    const definitions = definedScopes(this.#manifests);
    const placed: Manifest[] = [];
    for (const manifest of this.#manifests) {
      const scope = definitions.get(`${manifest.kind}.${manifest.group}`);
      const isNamespaced = scope === undefined ? await this.#isNamespaced(manifest) : scope === 'Namespaced';
      placed.push({
        ...manifest,
        namespace: isNamespaced ? (manifest.namespace ?? this.#namespace) : undefined,
      });
    }
    return placed;
  }

  async #isNamespaced({ group, version, kind, namespace }: Manifest): Promise<boolean> {
    try {
      const { signal } = this.#options;
      return (await this.#client.discovery.kind({ group, version, kind }, callOptions(signal))).namespaced;
    } catch (error) {
      // It fails when its turn comes.
      if (error instanceof NoMatchError) return namespace !== undefined;
      throw error;
    }
  }

  async #applyAll(manifests: readonly Manifest[]): Promise<void> {
    for (const manifest of manifests) this.#note(await this.#apply(manifest));
  }

  #note(result: ManifestResult): void {
    this.#results.push(result);
    this.#options.onResult?.(result);
  }

  async #apply(manifest: Manifest): Promise<ManifestResult> {
    throwIfAborted(this.#options.signal);
    const { group, kind, name, from } = manifest;
    let { namespace } = manifest;
    try {
      const { signal } = this.#options;
      const type = await this.#client.discovery.kind(manifest, callOptions(signal));
      if (!type.namespaced && namespace !== undefined)
        throw new InvalidRequestError(
          `a ${kind} lives in no namespace, but metadata.namespace is "${namespace}"`,
        );
      namespace = type.namespaced ? (namespace ?? this.#namespace) : undefined;
      const applied = await this.#send(clientOf(this.#client, type, namespace), manifest, namespace);
      await this.#whenUsable(manifest);
      return { group, kind, name, namespace, from, ...applied, error: undefined };
    } catch (error) {
      if (isCancelled(error)) throw error;
      const result = { group, kind, name, namespace, from, object: undefined };
      if (this.#isBroughtAlong(manifest, namespace, error))
        return { ...result, action: 'created', error: undefined };
      return { ...result, action: 'failed', error: toError(error) };
    }
  }

  #send(
    resource: ReturnType<typeof clientOf>,
    { object }: Manifest,
    namespace: string | undefined,
  ): Promise<Applied> {
    const { fieldManager, force = false, dryRun = false, fieldValidation = 'Strict', signal } = this.#options;
    const metadata = {
      ...object.metadata,
      ...(namespace === undefined ? {} : { namespace }),
      ...(this.#applySet === undefined
        ? {}
        : { labels: { ...object.metadata?.labels, ...this.#applySet.label } }),
    };
    const body: DynamicObject = { ...object, metadata };
    return applyOne(resource, body, { fieldManager, force, dryRun, fieldValidation, ...callOptions(signal) });
  }

  /** In a dry run nothing can be in a namespace, or of a kind, that is only about to be made. */
  #isBroughtAlong({ group, kind }: Manifest, namespace: string | undefined, error: unknown): boolean {
    if (this.#options.dryRun !== true) return false;
    if (error instanceof NoMatchError) return definedScopes(this.#manifests).has(`${kind}.${group}`);
    const isNew = this.#results.some(
      ({ group: of, kind: is, name, action }) =>
        of === '' && is === 'Namespace' && name === namespace && action === 'created',
    );
    return isNew && isNotFound(error);
  }

  /** A definition that is not established in time has failed: its objects could not be written. */
  async #whenUsable({ group, name }: Manifest): Promise<void> {
    const { clock = realClock, establishTimeoutMs: timeoutMs = DEFAULT_ESTABLISH_TIMEOUT_MS } = this.#options;
    if (group !== DEFINITION || this.#options.dryRun === true) return;
    await whenEstablished(this.#client, name, { clock, timeoutMs, signal: this.#options.signal });
  }
}

/** The scopes of the kinds that these define, by `Kind.group`. */
function definedScopes(manifests: readonly Manifest[]): ReadonlyMap<string, string> {
  const scopes = new Map<string, string>();
  for (const { group, object } of manifests) {
    if (group !== DEFINITION) continue;
    // As far as it is a definition. What is wrong with it, the server says.
    const { spec } = object as {
      readonly spec?: { group?: string; scope?: string; names?: { kind?: string } };
    };
    scopes.set(`${spec?.names?.kind}.${spec?.group}`, spec?.scope ?? 'Namespaced');
  }
  return scopes;
}

function split<T>(items: readonly T[], belongs: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
