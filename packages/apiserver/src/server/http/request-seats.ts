import { newTooManyRequests } from '@windlass/apimachinery';
import type { UserInfo } from '../../access/user.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import type { SeatTicket } from '../../flowcontrol/seat-ticket.ts';
import { isLongRunning } from '../../request/long-running.ts';
import type { Query } from '../../request/query-values.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { ClientPatience } from './client-patience.ts';
import type { RequestLimits } from './request-limits.ts';

export interface RequestSeatsOptions {
  readonly flowControl: FlowControl;
  readonly limits: RequestLimits;
  readonly info: RequestInfo;
  readonly query: Query;
  /** Whose shares count while it holds no seats: who is authenticated, also when somebody else is impersonated. */
  readonly caller: UserInfo;
  readonly signal: AbortSignal;
  /** Called when it is known which flow schema and priority level the request belongs to. */
  readonly onClassified: (schemaUid: string, levelUid: string) => void;
  /** Called when the client does not read its answer, and its user has too many such answers already. */
  readonly onGivenUp: () => void;
}

/**
 * The seats of one request over HTTP, from authentication to the end of its answer:
 *
 *   take ─► authorise ─► receive the body ─► the verb ─► the answer is written ─► release
 *                          └ yield ─ take again       └ yield when it is not read
 *
 * A request holds seats while the server works for it. While the server waits for the client it holds them for a short
 * time only, and then one of the places for slow clients, of which each user has a share. A watch holds seats until it
 * has begun. Other long-running requests hold none.
 */
export class RequestSeats {
  readonly #options: RequestSeatsOptions;
  readonly #owner: string | undefined;
  readonly #held: (() => void)[] = [];
  #ticket: SeatTicket | undefined = undefined;
  /** For the client to read the answer. */
  readonly patience = new ClientPatience(() => this.#onUnread());

  /** @throws StatusError 429 when the user has too many long-running requests */
  constructor(options: RequestSeatsOptions) {
    const { limits, info, caller } = options;
    this.#options = options;
    this.#owner = limits.ownerOf(info, caller);
    if (isLongRunning(info)) this.#held.push(limits.enterLongRunning(info, this.#owner));
  }

  /** Whose memory a body takes. */
  get owner(): string | undefined {
    return this.#owner;
  }

  /**
   * Takes seats, as `user`. Undefined when it has them at once.
   * @throws FlowRefusedError when there are none to be had
   */
  take(user: UserInfo): Promise<void> | undefined {
    const { flowControl, info, query, signal, onClassified } = this.#options;
    const isWatch = info.verb === 'watch';
    if (!isWatch && isLongRunning(info)) return undefined;
    const asked = { info, user, query };
    const flow = flowControl.flowOf(asked);
    onClassified(flow.plan.uid, flow.level.plan.uid);
    this.#ticket = flowControl.ticket(flow, asked);
    const taken = this.#ticket.take(signal);
    if (isWatch) this.#held.push(flowControl.watches.register(info));
    return taken;
  }

  /**
   * Receives a body. One that is slow gives up its seats meanwhile, and gets them again when the body is here.
   * @throws StatusError 429 when too many of the user's bodies are on their way, or there are no seats any more
   */
  async whileReceiving<T>(receive: (patience: ClientPatience) => Promise<T>): Promise<T> {
    const leave = this.#options.limits.awaitClient(this.#owner);
    if (leave === undefined)
      throw newTooManyRequests('Too many bodies of this user are on their way, please try again later.', 1);
    let hasYielded = false;
    try {
      const received = await receive(
        new ClientPatience(() => {
          hasYielded = true;
          this.#ticket?.yield();
        }),
      );
      if (hasYielded) await this.#ticket?.take(this.#options.signal);
      return received;
    } finally {
      leave();
    }
  }

  /** A watch that begins with little has begun when it is answered. One that begins with much holds its seats on. */
  watchAnswered(): void {
    if ((this.#ticket?.seats ?? 0) <= 1) this.done();
  }

  /** The server has nothing more to do for the request, or only when something happens that it watches. */
  done(): void {
    this.#ticket?.release();
  }

  release(): void {
    this.done();
    for (const release of this.#held) release();
    this.#held.length = 0;
  }

  #onUnread(): void {
    this.done();
    const leave = this.#options.limits.awaitClient(this.#owner);
    if (leave === undefined) this.#options.onGivenUp();
    else this.#held.push(leave);
  }
}
