import { SidecarError } from '../sidecar/errors.ts';
import { PARAMETER_PREFIX, resolveTemplate, type SecretReference } from '../sidecar/secrets.ts';
import { DELETION_SECRET_NAME, DELETION_SECRET_NAMESPACE } from './names.ts';

type Parameters = Readonly<Record<string, string>>;

const NAME = `${PARAMETER_PREFIX}snapshotter-secret-name`;
const NAMESPACE = `${PARAMETER_PREFIX}snapshotter-secret-namespace`;
/** For others than the driver: these are no parameters of its. */
const LIST_NAME = `${PARAMETER_PREFIX}snapshotter-list-secret-name`;
const LIST_NAMESPACE = `${PARAMETER_PREFIX}snapshotter-list-secret-namespace`;
const KNOWN: ReadonlySet<string> = new Set([NAME, NAMESPACE, LIST_NAME, LIST_NAMESPACE]);

/** The secret that a class names for a snapshot. @throws SidecarError */
export function snapshotSecret(
  parameters: Parameters,
  content: string,
  snapshot: { readonly name: string; readonly namespace: string },
): SecretReference | undefined {
  const [name, namespace] = [parameters[NAME], parameters[NAMESPACE]];
  if (name === undefined && namespace === undefined) return undefined;
  if (!name || !namespace)
    throw new SidecarError('the secret of a snapshot class needs both a name and a namespace');
  const common = {
    'volumesnapshotcontent.name': content,
    'volumesnapshot.namespace': snapshot.namespace,
  };
  return {
    name: resolveTemplate(name, { ...common, 'volumesnapshot.name': snapshot.name }),
    namespace: resolveTemplate(namespace, common),
  };
}

/** As annotations of a content, for the day when it is deleted. */
export function contentSecrets(
  parameters: Parameters,
  content: string,
  snapshot: { readonly name: string; readonly namespace: string },
): Record<string, string> {
  const secret = snapshotSecret(parameters, content, snapshot);
  return secret === undefined
    ? {}
    : { [DELETION_SECRET_NAME]: secret.name, [DELETION_SECRET_NAMESPACE]: secret.namespace };
}

/** What is for the driver. One with the prefix that nobody knows is an error: somebody expects it to be heeded. */
export function snapshotParameters(parameters: Parameters): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(parameters)) {
    if (!key.startsWith(PARAMETER_PREFIX)) kept[key] = value;
    else if (!KNOWN.has(key)) throw new SidecarError(`the snapshot class has the unknown parameter ${key}`);
  }
  return kept;
}
