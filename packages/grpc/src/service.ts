import type { Logger } from '@windlass/base';
import { messageCodecs } from './protobuf/codecs.ts';
import type { MessageCodec } from './protobuf/message-codec.ts';
import type { ProtocolTable } from './protobuf/table.ts';

/** A message as it may be given: what proto3 leaves out may be left out. */
export type MessageInit<T> = T extends string | number | boolean | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly MessageInit<Item>[]
    : { readonly [Key in keyof T]?: MessageInit<T[Key]> | undefined };

/** What a service learns of a call besides its request. */
export interface Call {
  /** Aborts when the caller gives up, when the deadline passes and when the server is stopped. */
  readonly signal: AbortSignal;
  /** `/csi.v1.Controller/CreateVolume` */
  readonly method: string;
  /** Names the method in each record. */
  readonly logger: Logger;
}

/** The generator's description of a service: requests and responses by method. */
type Methods<M> = { readonly [Key in keyof M]: { readonly request: unknown; readonly response: unknown } };

/** What a server implements. A method that is not there answers UNIMPLEMENTED. */
export type ServiceOf<M extends Methods<M>> = {
  readonly [Key in keyof M]?: (
    request: M[Key]['request'],
    call: Call,
  ) => Promise<MessageInit<M[Key]['response']>>;
};

/** When a call is given up. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * The call fails with DEADLINE_EXCEEDED after this many milliseconds.
   * @default the client's `timeoutMs`
   */
  readonly timeoutMs?: number | undefined;
}

/** What a client offers. Whatever goes wrong is a GrpcError. */
export type ClientOf<M extends Methods<M>> = {
  readonly [Key in keyof M]: (
    request: MessageInit<M[Key]['request']>,
    options?: CallOptions,
  ) => Promise<M[Key]['response']>;
};

export interface Method {
  /** `createVolume` */
  readonly name: string;
  /** `/csi.v1.Controller/CreateVolume` */
  readonly path: string;
  readonly request: MessageCodec;
  readonly response: MessageCodec;
}

/** The methods of one service of a protocol. */
export function methodsOf<T extends ProtocolTable>(
  table: T,
  service: keyof T['services'] & string,
): Method[] {
  const codec = messageCodecs(table);
  return Object.entries(table.services[service] ?? {}).map(([name, text]) => {
    const [wireName = '', request = '', response = ''] = text.split(' ');
    return {
      name,
      path: `/${table.package}.${service}/${wireName}`,
      request: codec(request),
      response: codec(response),
    };
  });
}

/** A method with what answers it: messages in, messages out. */
export interface Handler {
  readonly method: Method;
  /** Undefined where the service does not have the method. */
  readonly handle: ((request: unknown, call: Call) => Promise<unknown>) | undefined;
}

/** @param service an object of type `ServiceOf` for these methods */
export function handlersOf(methods: readonly Method[], service: object): Handler[] {
  return methods.map((method) => {
    // The generated types say what stands under each of these names; the table only has the names.
    const found = (service as Readonly<Record<string, unknown>>)[method.name];
    if (typeof found !== 'function') return { method, handle: undefined };
    // The generated types give every method of a service this form.
    return { method, handle: (found as NonNullable<Handler['handle']>).bind(service) };
  });
}
