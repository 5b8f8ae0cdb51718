// The values of string types, which the published documents leave out but a running server serves. They
// stand in the server's generated Go source, whose regular layout (one token of depth a tab) is all that
// is relied on here; what does not fit stops the generator.
import type { Schema } from '@windlass/apimachinery';

export interface EnumFact {
  /** `schema_k8sio_api_core_v1_PodSpec` */
  readonly function: string;
  readonly property: string;
  /** The values belong to the items of a list or to the values of a map. */
  readonly nested: boolean;
  readonly values: readonly string[];
  /** Of the property, with what the values mean; empty when it has none. */
  readonly description: string;
}

export function parseEnums(source: string): EnumFact[] {
  const facts: EnumFact[] = [];
  let current = '';
  let property = '';
  let description = '';
  for (const line of source.split('\n')) {
    const declared = /^func (schema_\w+)\(/.exec(line)?.[1];
    if (declared !== undefined) current = declared;
    const named = /^\t{5}"([^"]+)": \{$/.exec(line)?.[1];
    if (named !== undefined) {
      property = named;
      description = '';
    }
    const text = /^\t{7}Description: +(".*"),$/.exec(line)?.[1];
    if (text !== undefined) description = JSON.parse(text) as string;
    const found = /^(\t+)Enum: +\[\]interface\{\}\{(.*)\},$/.exec(line);
    if (found === null) continue;
    const [, tabs = '', list = ''] = found;
    if (tabs.length !== 7 && tabs.length !== 10)
      throw new Error(`${current}.${property} has values at a depth of ${tabs.length} tabs, not 7 or 10`);
    const values = JSON.parse(`[${list}]`) as string[];
    facts.push({ function: current, property, nested: tabs.length === 10, values, description });
  }
  return facts;
}

/** The definitions with the values added. A fact about a definition that is not served is left out. */
export function addEnums(definitions: Map<string, Schema>, facts: readonly EnumFact[]): Map<string, Schema> {
  const byFunction = new Map<string, string>();
  for (const name of definitions.keys()) byFunction.set(functionOfDefinition(name), name);
  const result = new Map(definitions);
  for (const fact of facts) {
    const name = byFunction.get(fact.function);
    if (name === undefined) continue;
    const definition = result.get(name) ?? {};
    const before = definition.properties?.[fact.property];
    const slot = !fact.nested ? undefined : before?.items === undefined ? 'additionalProperties' : 'items';
    const target = slot === undefined ? before : before?.[slot];
    if (typeof target !== 'object' || target.type !== 'string')
      throw new Error(`${name}.${fact.property} has values but is no string`);
    const withValues = { enum: fact.values, ...target };
    const after = slot === undefined ? withValues : { ...before, [slot]: withValues };
    result.set(name, { ...definition, properties: { ...definition.properties, [fact.property]: after } });
  }
  return result;
}

/** The name that Go's generator gives the function of a definition. */
export function functionOfDefinition(definition: string): string {
  const parts = definition.split('.');
  const tail = definition.startsWith('io.k8s.api.') ? ['k8sio', ...parts.slice(2)] : parts.slice(3);
  return `schema_${tail.join('_')}`;
}
