import {
  type ApiRequest,
  apiVersionOf,
  DecodeError,
  decodeJson,
  decodeProtobuf,
  decodeYaml,
  newBadRequest,
  newRequestEntityTooLarge,
  newUnsupportedMediaType,
  PROTOBUF_MEDIA_TYPE,
  StatusError,
} from '@windlass/apimachinery';
import { isRecord, toError } from '@windlass/base';

/** The largest body that is read. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

/**
 * The longest YAML that the complete parser is asked to read: one with anchors, tags or mistakes. It takes that parser
 * about a tenth of a second.
 */
const MAX_COMPLEX_YAML_BYTES = 64 * 1024;

export interface Body {
  readonly value: unknown;
  /** Fields that are there twice, which only the text shows. */
  readonly problems: readonly string[];
  /** What it was read from. Absent in process, where nothing is. */
  readonly bytes?: Uint8Array;
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
  return decoded(bytes, contentTypeOf(request), isCustom);
}

/** A body that must be there and be an object of the kind: what is wrong with it is told as upstream tells it. */
export function requireBody(
  request: Pick<ApiRequest, 'body' | 'headers'>,
  { kind, isCustom = false }: Pick<BodyKind, 'kind' | 'isCustom'>,
): Body {
  try {
    const body = readBody(request, isCustom);
    if (body === undefined) throw new UnreadableError(`${PARSE_PROBLEM} unexpected end of JSON input`);
    // To Go, null is an object without fields.
    return body.value === null && !isCustom ? { ...body, value: {} } : body;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const { body = '' } = request;
    const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : '');
    throw newBadRequest(unrecognizedText(kind, error.message, bytes));
  }
}

const PARSE_PROBLEM = "couldn't get version/kind; json parse error:";
/** `k8s` and a zero: what every object in protobuf begins with. */
const PROTOBUF_PREFIX = Buffer.from('k8s\0');

/** The bytes are nothing that could be read. */
class UnreadableError extends StatusError {
  constructor(message: string) {
    super(newBadRequest(message).status);
  }
}

function decoded(bytes: Uint8Array, type: string, isCustom: boolean): Body {
  if (bytes.byteLength > MAX_BODY_BYTES) throw newRequestEntityTooLarge(`limit is ${MAX_BODY_BYTES}`);
  const accepted = isCustom ? [JSON_TYPE, YAML_TYPE] : [JSON_TYPE, YAML_TYPE, PROTOBUF_MEDIA_TYPE];
  if (type !== '' && !accepted.includes(type)) throw newUnsupportedMediaType(accepted);
  try {
    if (type !== PROTOBUF_MEDIA_TYPE)
      return {
        ...(type === YAML_TYPE ? readYaml(bytes, isCustom) : decodeJson(bytes, { wideIntegers: isCustom })),
        bytes,
      };
    if (!PROTOBUF_PREFIX.equals(bytes.subarray(0, PROTOBUF_PREFIX.length)))
      throw new UnreadableError(
        `provided data does not appear to be a protobuf message, expected prefix [${[...PROTOBUF_PREFIX].join(' ')}]`,
      );
    return { value: decodeProtobuf(bytes), problems: [], bytes };
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw new UnreadableError(
      type === JSON_TYPE || type === '' ? `${PARSE_PROBLEM} ${jsonProblem(error)}` : toError(error).message,
    );
  }
}

/** Without the place, which Go does not tell. */
function jsonProblem(error: unknown): string {
  return error instanceof DecodeError && error.problem !== undefined ? error.problem : toError(error).message;
}

/** A patch, whose form its own media type has told already. Upstream has no words before a strategic merge patch. */
export function readPatch(
  request: Pick<ApiRequest, 'body'>,
  type: 'json' | 'merge' | 'strategic' | 'apply',
  isCustom: boolean,
): Body {
  const { body } = request;
  if (!(body instanceof Uint8Array) && typeof body !== 'string') return { value: body, problems: [] };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.byteLength > MAX_BODY_BYTES) throw newRequestEntityTooLarge(`limit is ${MAX_BODY_BYTES}`);
  const isYaml = type === 'apply';
  try {
    return isYaml ? readYaml(bytes, isCustom) : decodeJson(bytes, { wideIntegers: isCustom });
  } catch (error) {
    if (isYaml) throw newBadRequest(`error decoding YAML: ${toError(error).message}`);
    throw newBadRequest(`${type === 'strategic' ? '' : 'error decoding patch: '}${jsonProblem(error)}`);
  }
}

/** Of custom resources only integers are wider than numbers: the types of built-in kinds are known. */
function readYaml(bytes: Uint8Array, isCustom: boolean): Body {
  return decodeYaml(bytes, { maxComplexBytes: MAX_COMPLEX_YAML_BYTES, wideIntegers: isCustom });
}

/** What a body must be. */
interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly isCustom?: boolean;
}

/**
 * The body must be of the kind that the URL serves; what it leaves out is taken from there. `isLenient`: nobody wants
 * to know of unknown fields, and upstream's decoder then words things otherwise.
 */
export function checkKind(
  definition: BodyKind,
  value: unknown,
  {
    isLenient = false,
    bytes,
  }: { readonly isLenient?: boolean; readonly bytes?: Uint8Array | undefined } = {},
): Record<string, unknown> {
  if (!isRecord(value)) {
    const problem = `${PARSE_PROBLEM} json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
    throw newBadRequest(
      unrecognizedText(definition.kind, problem, bytes ?? Buffer.from(JSON.stringify(value))),
    );
  }
  const object = value;
  if (definition.isCustom === true && (object['kind'] === undefined || object['kind'] === ''))
    throw isLenient ? kindMissing(definition, object) : unrecognized(definition.kind, object);
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

/** So much of a body is shown. */
const SHOWN_BYTES = 30;

/** Without a type of its own there is nothing to say what else it could be. */
function unrecognized(kind: string, object: object): StatusError {
  const text = JSON.stringify(object);
  return newBadRequest(unrecognizedText(kind, `Object 'Kind' is missing in '${text}'`, Buffer.from(text)));
}

function unrecognizedText(kind: string, problem: string, bytes: Uint8Array): string {
  return `the object provided is unrecognized (must be of type ${kind}): ${problem} (${summaryOf(bytes)})`;
}

/** What looks like JSON is shown as it is, anything else as digits. */
function summaryOf(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return '<empty>';
  const shown = Buffer.from(bytes.subarray(0, SHOWN_BYTES));
  const text = shown[0] === 0x7b ? shown.toString() : shown.toString('hex');
  return bytes.byteLength > SHOWN_BYTES ? `${text} ...` : text;
}

function kindMissing({ kind, version }: Pick<BodyKind, 'version' | 'kind'>, object: object): StatusError {
  return newBadRequest(
    `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: Object 'Kind' is missing in '${JSON.stringify(object)}'`,
  );
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}
