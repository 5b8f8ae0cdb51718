import {
  type ApiRequest,
  apiVersionOf,
  decodeJson,
  decodeProtobuf,
  decodeYaml,
  newBadRequest,
  newRequestEntityTooLarge,
  newUnsupportedMediaType,
  PROTOBUF_MEDIA_TYPE,
  StatusError,
} from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import type { ResourceDefinition } from '../resource/definition.ts';

/** The largest body that is read. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

export interface Body {
  readonly value: unknown;
  /** Fields that are there twice, which only the text shows. */
  readonly problems: readonly string[];
}

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';

/** The media type of a request's body, in lower case and without parameters. */
export function contentTypeOf(request: Pick<ApiRequest, 'headers'>): string {
  return (request.headers?.['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** A body that is an object of a kind; undefined when there is none. */
export function readBody(request: Pick<ApiRequest, 'body' | 'headers'>, isCustom: boolean): Body | undefined {
  const { body } = request;
  if (body === undefined) return undefined;
  // In process nothing needs decoding.
  if (!(body instanceof Uint8Array) && typeof body !== 'string') return { value: body, problems: [] };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.byteLength === 0) return undefined;
  if (bytes.byteLength > MAX_BODY_BYTES) throw newRequestEntityTooLarge(`limit is ${MAX_BODY_BYTES}`);
  const type = contentTypeOf(request);
  const accepted = isCustom ? [JSON_TYPE, YAML_TYPE] : [JSON_TYPE, YAML_TYPE, PROTOBUF_MEDIA_TYPE];
  if (type !== '' && !accepted.includes(type)) throw newUnsupportedMediaType(accepted);
  try {
    if (type === PROTOBUF_MEDIA_TYPE) return { value: decodeProtobuf(bytes), problems: [] };
    return type === YAML_TYPE ? decodeYaml(bytes) : decodeJson(bytes);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw newBadRequest(toError(error).message);
  }
}

/** A patch, whose form its own media type has told already. */
export function readPatch(request: Pick<ApiRequest, 'body'>, isYaml: boolean): Body {
  const { body } = request;
  if (!(body instanceof Uint8Array) && typeof body !== 'string') return { value: body, problems: [] };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.byteLength > MAX_BODY_BYTES) throw newRequestEntityTooLarge(`limit is ${MAX_BODY_BYTES}`);
  try {
    return isYaml ? decodeYaml(bytes) : decodeJson(bytes);
  } catch (error) {
    throw newBadRequest(isYaml ? `error decoding YAML: ${toError(error).message}` : toError(error).message);
  }
}

/** The body must be of the kind that the URL serves; what it leaves out is taken from there. */
export function checkKind(
  definition: Pick<ResourceDefinition, 'group' | 'version' | 'kind'> & { readonly isCustom?: boolean },
  value: unknown,
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw newBadRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const object = value as Record<string, unknown>;
  if (definition.isCustom === true && (object['kind'] === undefined || object['kind'] === ''))
    throw unrecognized(definition.kind, object);
  const expected = apiVersionOf(definition);
  const { apiVersion = expected, kind = definition.kind } = object;
  if (
    kind !== definition.kind ||
    (typeof apiVersion === 'string' && groupOf(apiVersion) !== definition.group)
  ) {
    throw newBadRequest(
      `${definition.kind} in version ${JSON.stringify(definition.version)} cannot be handled as a ${definition.kind}: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`,
    );
  }
  if (apiVersion !== expected) {
    throw newBadRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
  return object['apiVersion'] === expected && object['kind'] === definition.kind
    ? object
    : { ...object, apiVersion: expected, kind: definition.kind };
}

/** So much of an object is shown twice. */
const SHOWN = 30;

/** Without a type of its own there is nothing to say what else it could be. */
function unrecognized(kind: string, object: object): StatusError {
  const text = JSON.stringify(object);
  const short = text.length > SHOWN ? `${text.slice(0, SHOWN)} ...` : text;
  return newBadRequest(
    `the object provided is unrecognized (must be of type ${kind}): Object 'Kind' is missing in '${text}' (${short})`,
  );
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}
