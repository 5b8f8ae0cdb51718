import { readTable } from '../registry-tables.ts';

/** One field, as the generator wrote it down. See tools/generate/protobuf-table.ts for the text form. */
export interface FieldFacts {
  readonly number: number;
  readonly name: string;
  readonly label: 'single' | 'repeated' | 'map';
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly inline: boolean;
  /** One letter for a scalar, the full name for a message. */
  readonly type: string;
}

export interface MessageFacts {
  /** JSON shows the one list in it instead of the message. */
  readonly isList: boolean;
  /** By number. */
  readonly fields: readonly FieldFacts[];
}

interface Table {
  readonly groupVersions: {
    readonly [apiVersion: string]: { readonly package: string; readonly kinds: readonly string[] };
  };
  readonly [packageName: string]: { readonly [message: string]: string } | Table['groupVersions'];
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Registered in every group version, because every client of a group sends or gets them. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
]);

/** Registered in `v1`, though they belong to no group. */
const IN_CORE: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'Status',
]);

let loaded: Table | undefined;

function table(): Table {
  // The generator wrote the table; a text that does not parse fails in parseMessage.
  loaded ??= readTable('protobuf') as Table;
  return loaded;
}

/** The message of a kind that stands alone; undefined when the kind has no protobuf form. */
export function messageNameOf(apiVersion: string, kind: string): string | undefined {
  const { groupVersions } = table();
  const home = Object.hasOwn(groupVersions, apiVersion) ? groupVersions[apiVersion] : undefined;
  if (home?.kinds.includes(kind) === true) return `${home.package}.${kind}`;
  if (EVERYWHERE.has(kind) || (apiVersion === 'v1' && IN_CORE.has(kind))) return `${META}.${kind}`;
  return undefined;
}

let kindMessages: ReadonlySet<string> | undefined;

/** Whether the message is of a kind: an object that stands alone. */
export function isKindMessage(name: string): boolean {
  kindMessages ??= new Set(
    Object.values(table().groupVersions).flatMap((home) =>
      home.kinds.map((kind) => `${home.package}.${kind}`),
    ),
  );
  return kindMessages.has(name);
}

/** Every kind that has a protobuf form, sorted. */
export function protobufKinds(): { readonly apiVersion: string; readonly kind: string }[] {
  return Object.entries(table().groupVersions).flatMap(([apiVersion, { kinds }]) =>
    kinds.map((kind) => ({ apiVersion, kind })),
  );
}

export function messageFacts(name: string): MessageFacts | undefined {
  const dot = name.lastIndexOf('.');
  const packageName = name.slice(0, dot);
  const text = table()[packageName]?.[name.slice(dot + 1)];
  return typeof text === 'string' ? parseMessage(text, packageName) : undefined;
}

function parseMessage(text: string, packageName: string): MessageFacts {
  const isList = text.startsWith('=');
  const fields = (isList ? text.slice(1) : text)
    .split('|')
    .filter((field) => field !== '')
    .map((field) => {
      const match = /^(\d+) (\S+) ([[{*?0>]*)(\S+)$/.exec(field);
      if (match === null) throw new Error(`the protobuf table has no field "${field}"; run npm run generate`);
      const [, number, name = '', flags = '', type = ''] = match;
      return {
        number: Number(number),
        name,
        label: flags.includes('[') ? 'repeated' : flags.includes('{') ? 'map' : 'single',
        pointer: flags.includes('*'),
        omitEmpty: flags.includes('?'),
        omitZero: flags.includes('0'),
        inline: flags.includes('>'),
        type: type.startsWith('.') ? packageName + type : type,
      } as const;
    });
  return { isList, fields };
}
