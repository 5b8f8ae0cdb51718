import { turnShare } from '@windlass/base';
import type { PathHandler } from '../exchange/path-handler.ts';
import type { Catalog } from '../resource/catalog.ts';
import { acceptedForm } from './accepted-form.ts';
import { documentResponse } from './document-response.ts';
import { type Gathered, gathered } from './gathered.ts';
import { swaggerDocument, swaggerJson } from './swagger-document.ts';
import { swaggerProtobuf } from './swagger-protobuf.ts';

const PATH = '/openapi/v2';
/** What it is answered as: Go takes the name with an `@`, which is asked for, for none. */
const PROTOBUF_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const FORMS = {
  json: 'application/json',
  protobuf: ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', PROTOBUF_TYPE],
};
/** What was made of the catalog in one generation. Promises, so that those who ask meanwhile wait for the same. */
interface Made {
  readonly generation: number;
  readonly document: ReturnType<typeof swaggerDocument>;
  readonly json: Promise<Gathered>;
  protobuf?: Promise<Gathered>;
}

/** `/openapi/v2` as JSON and as protobuf, made in small parts when first asked for and kept until something changes. */
export function swaggerPath(catalog: Catalog): PathHandler {
  let made: Made | undefined;
  const current = (): Made => {
    if (made?.generation === catalog.generation) return made;
    const document = swaggerDocument([...catalog.all()], () => turnShare.take());
    made = {
      generation: catalog.generation,
      document,
      json: document.then((one) => gathered(swaggerJson(one))),
    };
    return made;
  };
  return async (request) => {
    if (request.method !== 'GET' || request.path !== PATH) return undefined;
    const form = acceptedForm(request.headers?.['accept'], FORMS);
    const one = current();
    if (form === 'protobuf')
      one.protobuf ??= one.document.then((document) => gathered(swaggerProtobuf(document)));
    const { hash } = await one.json;
    const { body } = await (one.protobuf !== undefined && form === 'protobuf' ? one.protobuf : one.json);
    const contentType = form === 'json' ? FORMS.json : PROTOBUF_TYPE;
    // Upstream's tag is that of the JSON form in all forms, and `Vary` keeps them apart.
    return documentResponse(request, { contentType, body, hash });
  };
}
