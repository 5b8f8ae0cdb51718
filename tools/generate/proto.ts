// Field numbers and wire types, from the published generated.proto files (proto2, without enums, groups
// or oneofs, which is checked).

export interface ProtoField {
  readonly number: number;
  readonly name: string;
  readonly label: 'optional' | 'repeated' | 'map';
  /** A scalar, or the full name of a message: `k8s.io.api.core.v1.PodSpec`. Of a map: that of its values. */
  readonly type: string;
}

export interface ProtoFile {
  /** `k8s.io.api.core.v1` */
  readonly package: string;
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>;
}

const SCALARS = new Set(['string', 'int32', 'int64', 'bool', 'bytes', 'double']);
const FIELD = /^(?:(optional|repeated) ([\w.]+)|map<string, ([\w.]+)>) (\w+) = (\d+);$/;

export function parseProto(source: string): ProtoFile {
  const packageName = /^package ([\w.]+);$/m.exec(source)?.[1];
  if (packageName === undefined) throw new Error('a proto file names no package');
  const messages = new Map<string, ProtoField[]>();
  let current: ProtoField[] | undefined;
  for (const raw of source.replace(/\/\*[\s\S]*?\*\//g, '').split('\n')) {
    const line = raw.trim();
    const message = /^message (\w+) \{$/.exec(line)?.[1];
    if (message !== undefined) {
      current = [];
      messages.set(message, current);
    } else if (line === '}') {
      current = undefined;
    } else if (current !== undefined && line !== '' && !line.startsWith('//')) {
      current.push(parseField(line, packageName));
    }
  }
  return { package: packageName, messages };
}

function parseField(line: string, packageName: string): ProtoField {
  const match = FIELD.exec(line);
  if (match === null) throw new Error(`${packageName} has a line that is no field: ${line}`);
  const [, label, plain, ofMap, name = '', number] = match;
  const type = plain ?? ofMap ?? '';
  const full = SCALARS.has(type) ? type : type.startsWith('.') ? type.slice(1) : `${packageName}.${type}`;
  return {
    number: Number(number),
    name,
    label: label === 'optional' || label === 'repeated' ? label : 'map',
    type: full,
  };
}
