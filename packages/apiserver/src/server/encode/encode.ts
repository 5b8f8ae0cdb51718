import {
  encodeProtobuf,
  encodeYaml,
  hasProtobufForm,
  newBadRequest,
  PROTOBUF_MEDIA_TYPE,
  wideJson,
} from '@windlass/apimachinery';
import { fieldOf } from '@windlass/base';
import type { ServerResponse } from '../../exchange/exchange.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import { bytesOf } from '../../storage/index.ts';
import type { OutputForm } from './negotiation.ts';
import { type IncludeObject, toMetadata, toTable } from './table.ts';

/** An answer in bytes. */
export interface EncodedBody {
  readonly contentType: string;
  /** Written one after the other. A long list makes each when it is asked for; one array is made already. */
  readonly chunks: Iterable<Uint8Array>;
}

export interface EncodeOptions {
  readonly form: OutputForm;
  /** Of the resource that was asked for; undefined when there is none. */
  readonly definition: ResourceDefinition | undefined;
  readonly include: IncludeObject;
  readonly now: number;
}

export function encodeObject(
  response: Extract<ServerResponse, { type: 'object' }>,
  options: EncodeOptions,
): EncodedBody {
  const { form, definition } = options;
  const { object, stored, status } = response;
  const isResource = status < 300 && definition !== undefined && !isStatus(object);
  if (isResource && form.as !== 'itself' && form.as !== 'discovery') {
    // A success that is no Status is an object of the resource.
    const shown = object as Stored;
    if (form.as === 'metadata') return encodeValue(toMetadata(shown, form.version), form);
    const metadata = { resourceVersion: shown.metadata?.resourceVersion ?? '' };
    return encodeValue(
      toTable(metadata, [shown], {
        ...options,
        definition,
        version: form.version,
        withColumns: true,
      }),
      form,
    );
  }
  if (stored !== undefined && form.encoding === 'json' && form.as === 'itself' && !form.isPretty) {
    return { contentType: 'application/json', chunks: [bytesOf(stored)] };
  }
  return encodeValue(object, form);
}

export function encodeValue(value: unknown, { encoding, isPretty, as, version }: OutputForm): EncodedBody {
  switch (encoding) {
    case 'protobuf': {
      // Status and lists of custom resources have none; JSON is what every client also takes.
      if (!isTyped(value) || !hasProtobufForm(value))
        return encodeValue(value, { encoding: 'json', isPretty, as, version });
      return { contentType: PROTOBUF_MEDIA_TYPE, chunks: [encodeProtobuf(value)] };
    }
    case 'yaml':
      return { contentType: 'application/yaml', chunks: [Buffer.from(encodeYaml(value))] };
    case 'json': {
      const text = wideJson(value, isPretty ? 2 : undefined);
      const contentType =
        as === 'discovery'
          ? `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
          : 'application/json';
      return { contentType, chunks: [Buffer.from(`${text}\n`)] };
    }
    default:
      return encoding satisfies never;
  }
}

export function parseInclude(text: string | undefined): IncludeObject {
  if (text === undefined || text === '' || text === 'Metadata') return 'Metadata';
  if (text === 'Object' || text === 'None') return text;
  throw newBadRequest(`unrecognized includeObject value: ${JSON.stringify(text)}`);
}

function isTyped(value: unknown): value is { readonly apiVersion: string; readonly kind: string } {
  return typeof fieldOf(value, 'apiVersion') === 'string' && typeof fieldOf(value, 'kind') === 'string';
}

function isStatus(object: unknown): boolean {
  return fieldOf(object, 'kind') === 'Status' && fieldOf(object, 'apiVersion') === 'v1';
}
