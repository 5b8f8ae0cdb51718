// The Chrome DevTools Protocol: commands with answers and events, over one WebSocket.

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: unknown;
  readonly sessionId?: string;
}

export type Listener = (params: unknown) => void;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class DevTools implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Listener[]>();
  #lastId = 0;

  static async connect(address: string): Promise<DevTools> {
    const socket = new WebSocket(address);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`no browser answers at ${address}`)), {
        once: true,
      });
    });
    return new DevTools(socket);
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', (event) => this.#take(JSON.parse(String(event.data)) as Message)); // as the protocol says
    socket.addEventListener('close', () => this.#closed());
  }

  /** `T` is what the protocol says that the command answers. */
  send<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = ++this.#lastId;
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        resolve: (result) => resolve(result as T), // see above
        reject: (error) => reject(new Error(`${method}: ${error.message}`)),
      });
    });
  }

  on(method: string, sessionId: string, listener: Listener): void {
    const name = `${sessionId} ${method}`;
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  #take({ id, result, error, method, params, sessionId }: Message): void {
    if (id === undefined) {
      for (const listener of this.#listeners.get(`${sessionId} ${method}`) ?? []) listener(params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }

  #closed(): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new Error('the browser has ended'));
    this.#waiting.clear();
  }
}
