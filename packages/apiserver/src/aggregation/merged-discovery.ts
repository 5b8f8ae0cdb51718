import { fieldOf, isRecord } from '@windlass/base';
import type { ServerResponse } from '../exchange/exchange.ts';
import type { PathHandler } from '../exchange/path-handler.ts';
import { compareVersions } from '../resource/compare-versions.ts';
import type { ApiServices } from './api-services.ts';
import {
  builtinPriority,
  CUSTOM_PRIORITY,
  FIRST_PRIORITY,
  type Priority,
  REGISTRATION_GROUP,
} from './priorities.ts';
import type { RemoteDocuments } from './remote-documents.ts';

type Json = Readonly<Record<string, unknown>>;

/** A group in either form of discovery: its versions, and the rest as it was. */
interface Group {
  readonly name: string;
  readonly versions: readonly Json[];
  readonly rest: Json;
}

/**
 * Discovery of this server and of all that it aggregates, in the order of their priorities. A group version with an
 * APIService that leads elsewhere is told by that server, also when this one could serve it.
 */
export function mergedDiscovery(
  local: PathHandler,
  services: ApiServices,
  documents: RemoteDocuments,
): PathHandler {
  return async (request, info) => {
    const answer = await local(request, info);
    if (request.method !== 'GET' || services.remotes().length === 0) return answer;
    const [root, group, version] = request.path.split('/').filter((segment) => segment !== '');
    if (root !== 'apis' || version !== undefined) return answer;
    const isAggregated = (request.headers?.['accept'] ?? '').includes('APIGroupDiscoveryList');
    if (group !== undefined) return mergedGroup(answer, group, services);
    if (answer?.type !== 'object') return answer;
    const remote = isAggregated ? aggregatedGroups(services, documents) : plainGroups(services);
    const field = isAggregated ? 'items' : 'groups';
    const merged = merge(groupsIn(fieldOf(answer.object, field), isAggregated), remote, services);
    const object = {
      ...recordOf(answer.object),
      [field]: merged.map((one) => (isAggregated ? { ...one.rest, versions: one.versions } : plain(one))),
    };
    return { ...answer, object };
  };
}

function mergedGroup(
  answer: ServerResponse | undefined,
  name: string,
  services: ApiServices,
): ServerResponse | undefined {
  const remote = plainGroups(services).filter((group) => group.name === name);
  if (remote.length === 0) return answer;
  const local = answer?.type === 'object' ? groupsIn([answer.object], false) : [];
  const [merged] = merge(local, remote, services);
  if (merged === undefined) return answer;
  return {
    type: 'object',
    status: 200,
    headers: { vary: 'Accept' },
    object: { kind: 'APIGroup', apiVersion: 'v1', ...plain(merged) },
  };
}

/** In the form of APIGroup. */
function plain({ name, versions, rest }: Group): Json {
  return { ...rest, name, versions, preferredVersion: versions[0] };
}

function plainGroups(services: ApiServices): Group[] {
  return services.remotes().map(({ group, version }) => ({
    name: group,
    versions: [{ groupVersion: `${group}/${version}`, version }],
    rest: {},
  }));
}

function aggregatedGroups(services: ApiServices, documents: RemoteDocuments): Group[] {
  return services.remotes().map(({ name, group, version }) => {
    const { resources, isCurrent } = documents.get(name);
    return {
      name: group,
      versions: [
        {
          version,
          ...(resources.length > 0 && { resources }),
          freshness: isCurrent ? 'Current' : 'Stale',
        },
      ],
      rest: { metadata: { name: group, creationTimestamp: null } },
    };
  });
}

function groupsIn(value: unknown, isAggregated: boolean): Group[] {
  const groups = Array.isArray(value) ? value.filter(isRecord) : [];
  return groups.map((group) => {
    const { versions, preferredVersion: _, ...rest } = group;
    const name = isAggregated ? fieldOf(rest['metadata'], 'name') : rest['name'];
    return {
      name: typeof name === 'string' ? name : '',
      versions: Array.isArray(versions) ? versions.filter(isRecord) : [],
      rest,
    };
  });
}

/** Each group once, with the versions of both. What leads elsewhere takes the place of what is here. */
function merge(local: readonly Group[], remote: readonly Group[], services: ApiServices): Group[] {
  const groups = new Map<string, { rest: Json; versions: Map<string, Json> }>();
  for (const { name, versions, rest } of [...local, ...remote]) {
    const known = groups.get(name) ?? { rest, versions: new Map<string, Json>() };
    groups.set(name, known);
    for (const one of versions) known.versions.set(String(one['version']), one);
  }
  return [...groups]
    .map(([name, { rest, versions }]) => {
      const sorted = [...versions].toSorted(([a], [b]) => {
        const difference =
          priorityOf(services, name, b).versionPriority - priorityOf(services, name, a).versionPriority;
        return difference || compareVersions(a, b);
      });
      const priorities = sorted.map(([version]) => priorityOf(services, name, version).groupPriorityMinimum);
      return { name, rest, versions: sorted.map(([, one]) => one), priority: Math.max(...priorities) };
    })
    .toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
}

function priorityOf(services: ApiServices, group: string, version: string): Priority {
  if (group === REGISTRATION_GROUP) return FIRST_PRIORITY;
  return services.get(`${version}.${group}`)?.spec ?? builtinPriority(group, version) ?? CUSTOM_PRIORITY;
}

function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}
