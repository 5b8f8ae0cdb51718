// The parts of an OpenAPI v3 document that are made here.

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options' | 'head';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description?: string;
  readonly required?: true;
  readonly schema: { readonly type: 'string' | 'boolean' | 'integer'; readonly uniqueItems: true };
}

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema: object }>>;

export interface Operation {
  readonly description: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content; readonly required?: true };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: object;
}

export type PathItem = { readonly [method in Method]?: Operation } & {
  readonly parameters?: readonly Parameter[];
};

export interface OpenApiDocument {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes?: Readonly<Record<string, object>>;
  };
}
