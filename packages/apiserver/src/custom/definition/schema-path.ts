import type { Schema } from '@windlass/apimachinery';
import { mapValueSchema } from '../schema/children.ts';

export type SchemaAtPath = { readonly schema: Schema; readonly path: string } | { readonly problem: string };

const TOKEN = /'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/g;

/** The schema that a path such as `.spec.list` or `['a.b']` leads to, and that path as errors write it. */
export function schemaAtPath(root: Schema, text: string, allowsBrackets = true): SchemaAtPath {
  const tokens = text.match(TOKEN) ?? [];
  let schema = root;
  let path = '';
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    let name: string;
    if (token === '.') {
      const next = tokens[++at];
      if (next === undefined) return { problem: 'unexpected end of JSON path' };
      name = next;
    } else if (token === '[') {
      if (!allowsBrackets) return { problem: 'array notation is not allowed' };
      const quoted = tokens[++at];
      if (quoted === undefined) return { problem: 'unexpected end of JSON path' };
      if (!/^'.*'$/s.test(quoted)) return { problem: `expected single quoted string but got ${quoted}` };
      if (tokens[++at] !== ']') return { problem: `expected ] but got ${tokens[at] ?? ''}` };
      name = quoted.slice(1, -1).replaceAll(/\\(['\\])/g, '$1');
    } else return { problem: `expected [ or . but got: ${token ?? ''}` };
    const isNamed = schema.properties !== undefined;
    const next = isNamed ? schema.properties?.[name] : mapValueSchema(schema);
    if (next === undefined) return { problem: 'does not refer to a valid field' };
    path = isNamed ? (path === '' ? name : `${path}.${name}`) : `${path}[${name}]`;
    schema = next;
  }
  return { schema, path };
}
