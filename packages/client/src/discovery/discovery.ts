import { ResourceRegistry, type ServedResource } from '@windlass/apimachinery';
import { orAbort } from '@windlass/base';
import { NoMatchError } from '../errors.ts';
import type { ApiCaller } from '../policy/api-caller.ts';
import { fetchRoot, type TaggedGroups } from './fetch-discovery.ts';
import type { FailedGroupVersion } from './parse-discovery.ts';

/** A kind; without a version, the preferred one. */
export interface KindQuery {
  readonly group: string;
  readonly version?: string;
  readonly kind: string;
}

/** A resource by its plural; without a version, the preferred one. */
export interface PluralQuery {
  readonly group: string;
  readonly version?: string;
  readonly plural: string;
}

/** Options of a question to discovery. */
export interface DiscoveryCallOptions {
  readonly signal?: AbortSignal;
}

/**
 * What the API server serves, and under which names. Fetched once and kept; when something is asked for
 * that is not there, fetched once more, so that custom resources which appear later are found. Servers
 * tag their answer, so that asking again when nothing changed is cheap.
 */
export class Discovery {
  readonly #caller: ApiCaller;
  #roots: { readonly api: TaggedGroups; readonly apis: TaggedGroups } | undefined;
  #registry: ResourceRegistry | undefined;
  #fetching: Promise<ResourceRegistry> | undefined;

  constructor(caller: ApiCaller) {
    this.#caller = caller;
  }

  /** Everything that is served. */
  async registry(options: DiscoveryCallOptions = {}): Promise<ResourceRegistry> {
    return this.#registry ?? this.refresh(options);
  }

  /** Group versions that are announced but do not answer, as of the last fetch. */
  get failed(): readonly FailedGroupVersion[] {
    return this.#roots === undefined ? [] : [...this.#roots.api.failed, ...this.#roots.apis.failed];
  }

  /** Asks the server now. Calls at the same time share one fetch. */
  refresh(options: DiscoveryCallOptions = {}): Promise<ResourceRegistry> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return orAbort(this.#fetching, options.signal);
  }

  /** The next question asks the server. */
  invalidate(): void {
    this.#registry = undefined;
  }

  /** @throws NoMatchError when the server has no such kind, now that it was asked again */
  kind(query: KindQuery, options: DiscoveryCallOptions = {}): Promise<ServedResource> {
    const { group, version, kind } = query;
    return this.#find(
      (registry) =>
        version === undefined
          ? inPreferredVersion(registry, group, (resource) => resource.kind === kind)
          : registry.byKind({ group, version, kind }),
      () => `kind ${kind} in ${groupVersion(group, version)}`,
      options,
    );
  }

  /** @throws NoMatchError */
  plural(query: PluralQuery, options: DiscoveryCallOptions = {}): Promise<ServedResource> {
    const { group, version, plural } = query;
    return this.#find(
      (registry) =>
        version === undefined
          ? inPreferredVersion(registry, group, (resource) => resource.plural === plural)
          : registry.byPlural({ group, version, plural }),
      () => `resource ${plural} in ${groupVersion(group, version)}`,
      options,
    );
  }

  /**
   * By what a person types: `deploy`, `pods`, `Pod`, `events.events.k8s.io`, `deployments.v1.apps`.
   * @throws NoMatchError
   */
  named(name: string, options: DiscoveryCallOptions = {}): Promise<ServedResource> {
    return this.#find(
      (registry) => registry.named(name)[0],
      () => `resource named "${name}"`,
      options,
    );
  }

  async #find(
    find: (registry: ResourceRegistry) => ServedResource | undefined,
    what: () => string,
    options: DiscoveryCallOptions,
  ): Promise<ServedResource> {
    const cached = this.#registry === undefined ? undefined : find(this.#registry);
    if (cached !== undefined) return cached;
    // A fetch that was already under way may have begun before what we look for was there.
    const joined = this.#fetching !== undefined;
    const fresh =
      find(await this.refresh(options)) ?? (joined ? find(await this.refresh(options)) : undefined);
    if (fresh !== undefined) return fresh;
    const silent = this.failed.map(({ group, version }) => groupVersion(group, version));
    const hint = silent.length === 0 ? '' : `; these did not answer: ${silent.join(', ')}`;
    throw new NoMatchError(`the API server has no ${what()}${hint}`);
  }

  async #fetch(): Promise<ResourceRegistry> {
    const known = this.#roots;
    const [api, apis] = await Promise.all([
      fetchRoot(this.#caller, '/api', known?.api, undefined),
      fetchRoot(this.#caller, '/apis', known?.apis, undefined),
    ]);
    const unchanged = this.#registry !== undefined && known?.api === api && known.apis === apis;
    this.#roots = { api, apis };
    this.#registry =
      unchanged && this.#registry !== undefined
        ? this.#registry
        : new ResourceRegistry([...api.groups, ...apis.groups]);
    return this.#registry;
  }
}

function inPreferredVersion(
  registry: ResourceRegistry,
  group: string,
  matches: (resource: ServedResource) => boolean,
): ServedResource | undefined {
  const versions = registry.groups.find((served) => served.group === group)?.versions ?? [];
  for (const { resources } of versions) {
    const found = resources.find(matches);
    if (found !== undefined) return found;
  }
  return undefined;
}

function groupVersion(group: string, version: string | undefined): string {
  return [group === '' ? 'core' : group, ...(version === undefined ? [] : [version])].join('/');
}
