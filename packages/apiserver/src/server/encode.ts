import {
  encodeProtobuf,
  encodeYaml,
  hasProtobufForm,
  newBadRequest,
  PROTOBUF_MEDIA_TYPE,
} from '@windlass/apimachinery';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Stored } from '../resource/strategy.ts';
import { bytesOf } from '../storage/index.ts';
import type { ServerList, ServerResponse } from './exchange.ts';
import type { OutputForm } from './negotiation.ts';
import { type IncludeObject, toMetadata, toMetadataList, toTable } from './table.ts';

/** An answer in bytes. */
export interface EncodedBody {
  readonly contentType: string;
  /** Written one after the other: a list's items are not copied together first. */
  readonly chunks: readonly Uint8Array[];
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
  if (isResource && form.as === 'metadata')
    return encodeValue(toMetadata(object as Stored, form.version), form);
  if (isResource && form.as === 'table') {
    const metadata = { resourceVersion: (object as Stored).metadata?.resourceVersion ?? '' };
    return encodeValue(
      toTable(metadata, [object as Stored], {
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

export function encodeList(list: ServerList, options: EncodeOptions): EncodedBody {
  const { form, definition } = options;
  if (form.as === 'metadata') return encodeValue(toMetadataList(list, form.version), form);
  if (form.as === 'table' && definition !== undefined) {
    const objects = list.items.map(({ object }) => object as Stored);
    return encodeValue(
      toTable(list.metadata, objects, { ...options, definition, version: form.version, withColumns: true }),
      form,
    );
  }
  if (form.encoding === 'json' && !form.isPretty)
    return { contentType: 'application/json', chunks: listChunks(list) };
  const { kind, apiVersion, metadata } = list;
  return encodeValue({ kind, apiVersion, metadata, items: list.items.map(({ object }) => object) }, form);
}

const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']}\n');

/** The bytes of a list are those of its items with a little between, so nothing is encoded anew. */
function listChunks({ kind, apiVersion, metadata, items }: ServerList): Uint8Array[] {
  const head = JSON.stringify({ kind, apiVersion, metadata, items: [] });
  const chunks: Uint8Array[] = [Buffer.from(head.slice(0, -2))];
  for (const [index, { object, stored }] of items.entries()) {
    if (index > 0) chunks.push(COMMA);
    chunks.push(stored === undefined ? Buffer.from(JSON.stringify(object)) : bytesOf(stored));
  }
  chunks.push(CLOSE);
  return chunks;
}

export function encodeValue(value: unknown, { encoding, isPretty, as, version }: OutputForm): EncodedBody {
  switch (encoding) {
    case 'protobuf': {
      const typed = value as { apiVersion: string; kind: string };
      // Status and lists of custom resources have none; JSON is what every client also takes.
      if (!hasProtobufForm(typed)) return encodeValue(value, { encoding: 'json', isPretty, as, version });
      return { contentType: PROTOBUF_MEDIA_TYPE, chunks: [encodeProtobuf(typed)] };
    }
    case 'yaml':
      return { contentType: 'application/yaml', chunks: [Buffer.from(encodeYaml(value))] };
    case 'json': {
      const text = JSON.stringify(value, undefined, isPretty ? 2 : undefined);
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

function isStatus(object: unknown): boolean {
  return (
    (object as { kind?: string }).kind === 'Status' && (object as { apiVersion?: string }).apiVersion === 'v1'
  );
}
