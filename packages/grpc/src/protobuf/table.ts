/**
 * What a proto3 file says, as the generator wrote it down. tools/generate/protocol-table.ts has the text
 * form of messages, enums and methods.
 */
export interface ProtocolTable {
  /** `csi.v1` */
  readonly package: string;
  readonly messages: Readonly<Record<string, string>>;
  readonly enums: Readonly<Record<string, string>>;
  readonly services: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface FieldFacts {
  readonly number: number;
  readonly name: string;
  readonly label: 'single' | 'repeated' | 'map';
  readonly secret: boolean;
  /** One letter for a scalar, `#Name` for an enum, `.Name` for a message. */
  readonly type: string;
  readonly oneof: string | undefined;
}

const FIELD = /^(\d+) (\w+) ([[{]?)(!?)([silbuytndxBL]|[#.]\w+)(?:\/(\w+))?$/;

/** Sorted by number, which is the order on the wire. */
export function parseFields(text: string): FieldFacts[] {
  const fields = text === '' ? [] : text.split('|').map(parseField);
  return fields.sort((a, b) => a.number - b.number);
}

function parseField(text: string): FieldFacts {
  const match = FIELD.exec(text);
  if (match === null) throw new Error(`the protocol's table has no field "${text}"; run npm run generate`);
  const [, number, name = '', label, secret, type = '', oneof] = match;
  return {
    number: Number(number),
    name,
    label: label === '[' ? 'repeated' : label === '{' ? 'map' : 'single',
    secret: secret === '!',
    type,
    oneof,
  };
}

/** Names by number. */
export function parseEnum(text: string): Map<number, string> {
  return new Map(
    text.split('|').map((value) => {
      const [number = '', name = ''] = value.split(' ');
      return [Number(number), name];
    }),
  );
}
