// OpenAPI v2 as gnostic's protobuf messages: what kubectl asks of `/openapi/v2`. The numbers are those of its published
// OpenAPIv2.proto. A map is a list of names and values there, and what has no field of its own is YAML, as JSON is too.
import { wideJson } from '@windlass/apimachinery';
import { isRecord } from '@windlass/base';
import { boolean, double, encodeFields, type Field, int64, message, text, texts } from './protobuf-fields.ts';
import type { SwaggerDocument } from './swagger-document.ts';
import type {
  ParameterPlace,
  SwaggerOperation,
  SwaggerParameter,
  SwaggerPath,
  SwaggerResponse,
} from './swagger-types.ts';

/** The document's bytes in pieces. A message that is there several times has the fields of all. */
export function* swaggerProtobuf({
  head,
  paths,
  definitions,
  parameters,
  security,
}: SwaggerDocument): Generator<Uint8Array> {
  const { title, version } = head.info;
  yield encodeFields([text(1, head.swagger), message(2, [text(1, title), text(2, version)])]);
  for (const [name, item] of paths) yield encodeFields([message(8, [named(2, name, pathFields(item))])]);
  for (const [name, schema] of definitions)
    yield encodeFields([message(9, [named(1, name, schemaFields(schema))])]);
  for (const [name, parameter] of parameters)
    yield encodeFields([message(10, [named(1, name, parameterFields(parameter))])]);
  const { type, name, in: place, description } = security.securityDefinitions.BearerToken;
  const key = message(2, [text(1, type), text(2, name), text(3, place), text(4, description)]);
  yield encodeFields([
    message(12, [named(1, 'BearerToken', [])]),
    message(13, [named(1, 'BearerToken', [key])]),
  ]);
}

function named(number: number, name: string, value: readonly Field[]): Field {
  return message(number, [text(1, name), message(2, value)]);
}

function yaml(number: number, value: unknown): Field {
  return message(number, [text(2, wideJson(value))]);
}

function extensions(number: number, of: object): Field[] {
  return Object.entries(of)
    .filter(([key]) => key.startsWith('x-'))
    .map(([key, value]) => message(number, [text(1, key), yaml(2, value)]));
}

const METHODS = [
  [2, 'get'],
  [3, 'put'],
  [4, 'post'],
  [5, 'delete'],
  [6, 'options'],
  [7, 'head'],
  [8, 'patch'],
] as const;

function pathFields(item: SwaggerPath): Field[] {
  return [
    ...METHODS.flatMap(([number, method]) => {
      const operation = item[method];
      return operation === undefined ? [] : [message(number, operationFields(operation))];
    }),
    ...(item.parameters ?? []).map((parameter) => message(9, placeFields(parameter))),
  ];
}

function operationFields(operation: SwaggerOperation): Field[] {
  return [
    ...texts(1, operation.tags),
    text(3, operation.description),
    text(5, operation.operationId),
    ...texts(6, operation.produces),
    ...texts(7, operation.consumes),
    ...(operation.parameters ?? []).map((parameter) => message(8, placeFields(parameter))),
    message(
      9,
      Object.entries(operation.responses).map(([code, response]) =>
        named(1, code, [message(1, responseFields(response))]),
      ),
    ),
    ...texts(10, operation.schemes),
    ...extensions(13, operation),
  ];
}

function responseFields({ description, schema }: SwaggerResponse): Field[] {
  const item = schema === undefined ? [] : [message(2, [message(1, schemaFields(schema))])];
  return [text(1, description), ...item];
}

function placeFields(place: ParameterPlace): Field[] {
  if ('$ref' in place) return [message(2, [text(1, place.$ref)])];
  return [message(1, parameterFields(place))];
}

function parameterFields(parameter: SwaggerParameter): Field[] {
  const { name, in: place, description, required, type, uniqueItems, schema = {} } = parameter;
  switch (place) {
    case 'body':
      return [
        message(1, [
          text(1, description),
          text(2, name),
          text(3, place),
          boolean(4, required),
          message(5, schemaFields(schema)),
        ]),
      ];
    case 'query':
    case 'path': {
      const isQuery = place === 'query';
      const fields = [
        boolean(1, required),
        text(2, place),
        text(3, description),
        text(4, name),
        text(isQuery ? 6 : 5, type),
        boolean(isQuery ? 20 : 19, uniqueItems),
      ];
      return [message(2, [message(isQuery ? 3 : 4, fields)])];
    }
    default:
      return place satisfies never;
  }
}

function schemaFields(value: unknown): Field[] {
  const schema = isRecord(value) ? value : {};
  const { additionalProperties, items, properties } = schema;
  return [
    text(1, schema['$ref']),
    text(2, schema['format']),
    text(3, schema['title']),
    text(4, schema['description']),
    double(6, schema['multipleOf']),
    double(7, schema['maximum']),
    boolean(8, schema['exclusiveMaximum']),
    double(9, schema['minimum']),
    boolean(10, schema['exclusiveMinimum']),
    int64(11, schema['maxLength']),
    int64(12, schema['minLength']),
    text(13, schema['pattern']),
    int64(14, schema['maxItems']),
    int64(15, schema['minItems']),
    boolean(16, schema['uniqueItems']),
    int64(17, schema['maxProperties']),
    int64(18, schema['minProperties']),
    ...texts(19, schema['required']),
    ...listOf(schema['enum']).map((one) => yaml(20, one)),
    ...(additionalProperties === undefined ? [] : [message(21, openFields(additionalProperties))]),
    ...(schema['type'] === undefined ? [] : [message(22, texts(1, [schema['type']].flat()))]),
    ...(items === undefined ? [] : [message(23, [message(1, schemaFields(items))])]),
    ...(isRecord(properties)
      ? [
          message(
            25,
            Object.entries(properties).map(([name, one]) => named(1, name, schemaFields(one))),
          ),
        ]
      : []),
    ...(schema['example'] === undefined ? [] : [yaml(30, schema['example'])]),
    ...extensions(31, schema),
  ];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function openFields(value: unknown): Field[] {
  return typeof value === 'boolean' ? [boolean(2, value)] : [message(1, schemaFields(value))];
}
