import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Figures } from '../lib/bench.ts';
import { figuresOf } from '../lib/child.ts';
import { buildGoProgram } from '../lib/go-peer.ts';
import type { TestedServer } from './servers.ts';

export type Flags = Readonly<Record<string, string | number>>;

/** The load generator of bench/load: one process for each thing that is asked of a server. */
export class Load {
  readonly #program: string;

  private constructor(program: string) {
    this.#program = program;
  }

  /** @throws MissingNeedError without Go */
  static async build(log: (line: string) => void): Promise<Load> {
    return new Load(await buildGoProgram('load', log));
  }

  /** @throws when the server refused a request */
  async run(server: TestedServer, verb: string, flags: Flags): Promise<Figures> {
    return checked(verb, await figuresOf(this.#program, argumentsOf(server, verb, flags)));
  }

  /** Gets a small object at an even pace while something else goes on. */
  async probeDuring(server: TestedServer, flags: Flags, work: () => Promise<unknown>): Promise<Figures> {
    const child = spawn(this.#program, argumentsOf(server, 'probe', flags), {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ended = once(child, 'exit');
    try {
      if ((await lines.next()).value !== 'ready') throw new Error('the probe did not begin');
      await work();
    } finally {
      child.stdin.end();
    }
    const last = await lines.next();
    await ended;
    if (last.done === true) throw new Error('the probe printed no figures');
    return checked('probe', JSON.parse(last.value) as Figures); // our own program wrote it
  }
}

function argumentsOf({ access, pids }: TestedServer, verb: string, flags: Flags): string[] {
  const { server, ca, cert, key } = access;
  const all: Flags = { server, ca, cert, key, pids: pids.join(','), ...flags };
  return [verb, ...Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)])];
}

function checked(verb: string, figures: Figures): Figures {
  if (figures['errors'] !== 0) throw new Error(`${verb}: ${figures['errors']} requests failed`);
  return figures;
}
