import { readTable } from '../registry-tables.ts';

/** What the built-in definitions, their fields and the parameters of requests mean, in Kubernetes' own words. */
export interface BuiltinDescriptions {
  /** Empty when there is none. */
  definition(name: string): string;
  /** Empty when there is none. */
  field(definition: string, field: string): string;
  /** Of a parameter in the query. Empty when there is none. */
  parameter(name: string): string;
  /** What the query of a connection takes, such as `pods/exec`, sorted by name. Empty when there is no such one. */
  connection(place: string): readonly ConnectionParameter[];
}

/** A parameter that the query of a connection takes. */
export interface ConnectionParameter {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer';
  readonly description: string;
}

/** A number is a place in the list of texts that several share. */
type Text = string | number;

type Connections = Readonly<
  Record<string, Readonly<Record<string, readonly [type: ConnectionParameter['type'], text: string]>>>
>;

interface Table {
  readonly shared: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly connections: Connections;
  readonly [definition: string]:
    | readonly [own: Text, fields: Readonly<Record<string, Text>>]
    | readonly string[]
    | Readonly<Record<string, string>>
    | Connections;
}

let loaded: BuiltinDescriptions | undefined;

/** Read from disk at the first call. */
export function builtinDescriptions(): BuiltinDescriptions {
  loaded ??= load();
  return loaded;
}

function load(): BuiltinDescriptions {
  // The generator writes exactly this form.
  const { shared, parameters, connections, ...definitions } = readTable('descriptions') as Table;
  // All that is left are definitions.
  const rows = new Map(Object.entries(definitions)) as ReadonlyMap<
    string,
    readonly [own: Text, fields: Readonly<Record<string, Text>>]
  >;
  const textOf = (text: Text | undefined): string =>
    typeof text === 'number' ? (shared[text] ?? '') : (text ?? '');
  return {
    definition: (name) => textOf(rows.get(name)?.[0]),
    field: (definition, field) => textOf(rows.get(definition)?.[1][field]),
    parameter: (name) => parameters[name] ?? '',
    connection: (place) =>
      Object.entries(connections[place] ?? {}).map(([name, [type, description]]) => ({
        name,
        type,
        description,
      })),
  };
}
