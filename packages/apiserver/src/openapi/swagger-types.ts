// The parts of an OpenAPI v2 document that are made here.
import type { Method } from './openapi-types.ts';

/** A schema: its fields are those of JSON schema, its extensions begin with `x-`. */
export type SwaggerSchema = Readonly<Record<string, unknown>>;

export interface SwaggerParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly description?: string;
  readonly required?: true;
  readonly type?: string;
  readonly uniqueItems?: true;
  readonly schema?: SwaggerSchema;
}

/** A parameter, or where it is. */
export type ParameterPlace = SwaggerParameter | { readonly $ref: string };

export interface SwaggerResponse {
  readonly description: string;
  readonly schema?: SwaggerSchema;
}

export interface SwaggerOperation {
  readonly description: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly string[];
  readonly parameters?: readonly ParameterPlace[];
  readonly responses: Readonly<Record<string, SwaggerResponse>>;
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: object;
}

export type SwaggerPath = { readonly [method in Method]?: SwaggerOperation } & {
  readonly parameters?: readonly ParameterPlace[];
};
