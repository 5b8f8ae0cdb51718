import { type DeepReadonly, isJsonObject, type KubeObject } from '@windlass/apimachinery';

const SECRETS = 'secrets';
/** kubectl keeps the whole object here, with its values. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The object without what nobody should read over a shoulder: of a secret, only how long its values are. */
export function masked(resource: string, object: DeepReadonly<KubeObject>): DeepReadonly<KubeObject> {
  if (resource !== SECRETS) return object;
  const { metadata, ...fields } = object;
  const { annotations = {}, ...rest } = metadata ?? {};
  const shown = Object.entries(annotations).filter(([name]) => name !== LAST_APPLIED);
  const sized = Object.entries(fields).map(([field, value]: [string, unknown]) => {
    const hides = (field === 'data' || field === 'stringData') && isJsonObject(value);
    return [field, hides ? sizes(field, value) : value];
  });
  return {
    ...Object.fromEntries(sized),
    metadata: { ...rest, ...(shown.length > 0 && { annotations: Object.fromEntries(shown) }) },
  };
}

function sizes(field: string, values: Readonly<Record<string, unknown>>): Record<string, string> {
  const encoding = field === 'data' ? 'base64' : 'utf8';
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const size = typeof value === 'string' ? Buffer.byteLength(value, encoding) : 0;
      return [name, `<${size} bytes>`];
    }),
  );
}
