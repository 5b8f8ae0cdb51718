import { newInternalError, type Status, StatusError, type Transport } from '@windlass/apimachinery';

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

  remove(path: string): Promise<unknown> {
    return this.#call('DELETE', path);
  }

  /** As `create`; somebody else having done it is as good. */
  async ensure(collection: string, object: object): Promise<void> {
    try {
      await this.create(collection, object);
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
    }
  }

  async #call(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const response = await this.#transport.request({
      method,
      path,
      headers: { 'user-agent': 'windlass-apiserver' },
      ...(body !== undefined && { body }),
    });
    if (response.status < 300) return response.body;
    const status = response.body as Partial<Status> | undefined;
    if (status?.kind === 'Status') throw new StatusError(status);
    throw newInternalError(new Error(`${method} ${path} answered ${response.status}`));
  }
}
