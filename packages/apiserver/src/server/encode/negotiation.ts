import { newNotAcceptable, PROTOBUF_MEDIA_TYPE } from '@windlass/apimachinery';
import type { ServerResponse } from '../../exchange/exchange.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';

/** The form in which an answer goes out. */
export interface OutputForm {
  readonly encoding: 'json' | 'yaml' | 'protobuf';
  /** Shown as something else than it is. */
  readonly as: 'itself' | 'table' | 'metadata' | 'discovery';
  /** Of the table, the metadata, or the discovery document. */
  readonly version: string;
  /** The kind that was asked for: bare metadata is asked for of one object, or of a list. */
  readonly kind?: string;
  readonly isPretty: boolean;
}

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

const ENCODINGS: ReadonlyMap<string, OutputForm['encoding']> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  [PROTOBUF_MEDIA_TYPE, 'protobuf'],
  ['*/*', 'json'],
  ['application/*', 'json'],
]);

const SHOWN_AS: ReadonlyMap<string, OutputForm['as']> = new Map([
  ['Table', 'table'],
  ['PartialObjectMetadata', 'metadata'],
  ['PartialObjectMetadataList', 'metadata'],
  ['APIGroupDiscoveryList', 'discovery'],
]);

export interface NegotiationOptions {
  /** Custom resources have no protobuf form; a watch has no YAML form. */
  readonly encodings: readonly OutputForm['encoding'][];
  readonly canTransform: boolean;
  /** Reviews and other answers that are never listed have no columns. @default as `canTransform` */
  readonly canBeTable?: boolean;
  readonly canDiscover?: boolean;
  readonly isPretty: boolean;
}

/** The first clause of the Accept header that can be met, in the order of their quality. */
export function negotiate(accept: string | undefined, options: NegotiationOptions): OutputForm {
  const clauses =
    accept === undefined || accept.trim() === ''
      ? [{ type: '*/*', parameters: new Map(), quality: 1 }]
      : parseAccept(accept);
  for (const clause of clauses) {
    const form = formOf(clause, options);
    if (form !== undefined) return form;
  }
  throw newNotAcceptable(
    options.encodings.map((encoding) =>
      encoding === 'protobuf' ? PROTOBUF_MEDIA_TYPE : `application/${encoding}`,
    ),
  );
}

function formOf(
  { type, parameters }: Clause,
  { encodings, canTransform, canBeTable = canTransform, canDiscover = false, isPretty }: NegotiationOptions,
): OutputForm | undefined {
  const encoding = ENCODINGS.get(type);
  const asked = parameters.get('as');
  // Bare metadata is a built-in kind, also that of custom resources.
  const isMetadata = canTransform && asked !== undefined && SHOWN_AS.get(asked) === 'metadata';
  const isKnown =
    encoding !== undefined && (encodings.includes(encoding) || (isMetadata && encoding === 'protobuf'));
  if (!isKnown) return undefined;
  const pretty = isPretty || parameters.get('pretty') === '1';
  if (asked === undefined) return { encoding, as: 'itself', version: '', isPretty: pretty };
  const as = SHOWN_AS.get(asked);
  const group = parameters.get('g') ?? '';
  const version = parameters.get('v') ?? '';
  if (as === 'discovery')
    return canDiscover && group === 'apidiscovery.k8s.io' && version === 'v2' && encoding === 'json'
      ? { encoding, as, version, isPretty: pretty }
      : undefined;
  if (
    as === undefined ||
    !canTransform ||
    group !== 'meta.k8s.io' ||
    (version !== 'v1' && version !== 'v1beta1')
  )
    return undefined;
  // A table has no protobuf form.
  if (as === 'table' && (encoding === 'protobuf' || !canBeTable)) return undefined;
  return { encoding, as, version, kind: asked, isPretty: pretty };
}

function parseAccept(accept: string): Clause[] {
  return accept
    .split(',')
    .map((text) => {
      const [type = '', ...rest] = text.split(';').map((part) => part.trim());
      const parameters = new Map<string, string>();
      for (const part of rest) {
        const equals = part.indexOf('=');
        if (equals > 0)
          parameters.set(
            part.slice(0, equals).trim(),
            part
              .slice(equals + 1)
              .trim()
              .replace(/^"|"$/g, ''),
          );
      }
      const quality = Number(parameters.get('q') ?? '1');
      return { type: type.toLowerCase(), parameters, quality: Number.isFinite(quality) ? quality : 1 };
    })
    .filter((clause) => clause.type !== '' && clause.quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
}

/** The encodings in which an answer can be given. */
export function encodingsFor(
  answer: ServerResponse,
  definition: ResourceDefinition | undefined,
): OutputForm['encoding'][] {
  // What is computed has no form in the tables of protobuf, as custom resources have none.
  const withProtobuf = definition?.isCustom !== true && definition?.computed === undefined;
  if (answer.type === 'watch') return withProtobuf ? ['json', 'protobuf'] : ['json'];
  return withProtobuf ? ['json', 'yaml', 'protobuf'] : ['json', 'yaml'];
}
