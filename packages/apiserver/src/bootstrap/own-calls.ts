import { isStatus, newInternalError, StatusError, type Transport } from '@windlass/apimachinery';

/** Calls of the server to itself, as an administrator: what it makes passes the same checks as all else. */
export class OwnCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(collection: string, object: object): Promise<unknown> {
    return this.#call('POST', collection, object);
  }

  update(path: string, object: object): Promise<unknown> {
    return this.#call('PUT', path, object);
  }

  /** Server-side apply, over whoever else has an opinion. */
  apply(path: string, manager: string, object: object): Promise<unknown> {
    return this.#call('PATCH', path, object, {
      query: { fieldManager: manager, force: 'true' },
      contentType: 'application/apply-patch+yaml',
    });
  }

  /** @param options DeleteOptions, such as preconditions; default none */
  remove(path: string, options?: object): Promise<unknown> {
    return this.#call('DELETE', path, options);
  }

  /** As `create`; somebody else having done it is as good. */
  async ensure(collection: string, object: object): Promise<void> {
    try {
      await this.create(collection, object);
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
    }
  }

  async #call(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    patch?: { readonly query: Readonly<Record<string, string>>; readonly contentType: string },
  ): Promise<unknown> {
    const response = await this.#transport.request({
      method,
      path,
      headers: {
        'user-agent': 'windlass-apiserver',
        ...(patch !== undefined && { 'content-type': patch.contentType }),
      },
      ...(patch !== undefined && { query: patch.query }),
      ...(body !== undefined && { body }),
    });
    if (response.status < 300) return response.body;
    if (isStatus(response.body)) throw new StatusError(response.body);
    throw newInternalError(new Error(`${method} ${path} answered ${response.status}`));
  }
}
