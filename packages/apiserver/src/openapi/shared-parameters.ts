import type { ParameterPlace, SwaggerParameter } from './swagger-types.ts';

const PREFIX = '#/parameters/';
const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** kubectl up to 1.27 looks for these where they are used. The name of an object names its kind, so none is shared. */
const IN_PLACE: ReadonlySet<string> = new Set(['name', 'fieldValidation', 'dryRun']);

/** The parameters that many operations take, each said once in a document. */
export class SharedParameters {
  readonly #byText = new Map<string, string>();
  readonly #byName = new Map<string, SwaggerParameter>();

  /** The parameter itself, or a reference to it. */
  refer(parameter: SwaggerParameter): ParameterPlace {
    const { name, in: place, schema } = parameter;
    const isOwn =
      place === 'body' && !String(schema?.['$ref']).startsWith('#/definitions/io.k8s.apimachinery');
    if (IN_PLACE.has(name) || isOwn) return parameter;
    const text = textOf(parameter);
    let known = this.#byText.get(text);
    if (known === undefined) {
      known = `${name}-${hashOf(text)}`;
      this.#byText.set(text, known);
      this.#byName.set(known, parameter);
    }
    return { $ref: PREFIX + known };
  }

  entries(): [string, SwaggerParameter][] {
    return [...this.#byName];
  }
}

/** As Go writes it, so that its hash is upstream's. */
function textOf({
  uniqueItems,
  type,
  description,
  name,
  in: place,
  required,
  schema,
}: SwaggerParameter): string {
  return JSON.stringify({ uniqueItems, type, description, name, in: place, required, schema })
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026');
}

/** The first 6 bytes of the text's FNV-1 hash of 64 bits, in the alphabet for URLs. */
function hashOf(text: string): string {
  let hash = OFFSET;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, hash * PRIME) ^ BigInt(byte);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(hash);
  return bytes.subarray(0, 6).toString('base64url');
}
