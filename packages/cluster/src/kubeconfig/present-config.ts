import { decodeYaml } from '@windlass/apimachinery';
import { MergeKubeconfigError } from './errors.ts';

/** The extension that says whose an entry is. Clients keep extensions that they do not know. */
export const OWNER = 'windlass.dev/data-dir';

/** What is in a kubeconfig, as far as whose it is. */
export interface PresentConfig {
  /** Names of clusters with the data directory that each is of; undefined for what is not ours. */
  readonly clusters: ReadonlyMap<string, string | undefined>;
  /** Names of contexts with their clusters and users. */
  readonly contexts: ReadonlyMap<string, { readonly cluster: unknown; readonly user: unknown }>;
  /** Undefined when it is empty too. */
  readonly currentContext: string | undefined;
}

export function readConfig(file: string, text: string): PresentConfig {
  let value: unknown;
  try {
    value = decodeYaml(text).value;
  } catch {
    // The reason would quote the file, which has secrets in it.
    throw new MergeKubeconfigError(file, 'it is no valid YAML; mend or move it');
  }
  const root = isObject(value) ? value : {};
  const named = (list: string): [string, Record<string, unknown>][] => {
    const entries = root[list];
    return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) =>
      isObject(entry) && typeof entry['name'] === 'string' ? [[entry['name'], entry]] : [],
    );
  };
  const current = root['current-context'];
  return {
    clusters: new Map(named('clusters').map(([name, { cluster }]) => [name, ownerOf(cluster)])),
    contexts: new Map(
      named('contexts').map(([name, { context }]) => {
        const { cluster, user } = isObject(context) ? context : {};
        return [name, { cluster, user }];
      }),
    ),
    currentContext: typeof current === 'string' && current !== '' ? current : undefined,
  };
}

function ownerOf(cluster: unknown): string | undefined {
  const extensions: unknown = isObject(cluster) ? cluster['extensions'] : undefined;
  if (!Array.isArray(extensions)) return undefined;
  const own: unknown = extensions.find((extension) => isObject(extension) && extension['name'] === OWNER);
  const content = isObject(own) ? own['extension'] : undefined;
  const dataDir = isObject(content) ? content['dataDir'] : undefined;
  return typeof dataDir === 'string' ? dataDir : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
