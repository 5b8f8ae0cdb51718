import type { FromWorker, Questions, Remark, ToWorker } from './protocol.ts';

/** The server has refused to answer; it knows why. */
export class RefusedQuestion extends Error {
  readonly question: number;

  constructor(question: number) {
    super(`the server refused to answer question ${question}`);
    this.question = question;
  }
}

/** The thread's way to the server. */
export class Asker {
  readonly #send: (message: FromWorker) => void;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  constructor(send: (message: FromWorker) => void) {
    this.#send = send;
  }

  /** Rejects with a RefusedQuestion. */
  ask<What extends keyof Questions>(
    what: What,
    ask: Questions[What]['ask'],
  ): Promise<Questions[What]['answer']> {
    const question = ++this.#last;
    const asked = Promise.withResolvers<unknown>();
    this.#asked.set(question, asked);
    // The pair is one of the union's: `ask` is of the kind that `what` names.
    this.#send({ type: 'question', question, what, ask } as FromWorker);
    // The server answers a question with what Questions says of it.
    return asked.promise as Promise<Questions[What]['answer']>;
  }

  tell(remark: Remark): void {
    this.#send({ type: 'remark', remark });
  }

  answered({ question, answer, isRefused }: Extract<ToWorker, { type: 'answer' }>): void {
    const asked = this.#asked.get(question);
    this.#asked.delete(question);
    if (isRefused) asked?.reject(new RefusedQuestion(question));
    else asked?.resolve(answer);
  }
}
