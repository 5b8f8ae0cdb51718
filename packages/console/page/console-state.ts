// All that the page knows. One of it, made when the page starts.
import type { About } from '../src/protocol.ts';
import { ClusterModel } from './state/cluster-model.ts';
import { LoopModel } from './state/loop-model.ts';
import { RunsModel } from './state/runs-model.ts';
import { Topic } from './topic.ts';

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** Times are of this machine's clock. */
  | {
      readonly state: 'lost';
      readonly since: number;
      readonly retryAt: number;
      /** What the server said, if it said something. */
      readonly why: string | undefined;
    };

export class ConsoleState {
  about: About | undefined = undefined;
  connection: Connection = { state: 'connecting' };
  readonly loop = new LoopModel();
  readonly runs = new RunsModel();
  readonly cluster = new ClusterModel();
  /** How far the server's clock is ahead of this one. */
  clockOffset = 0;

  readonly onAbout = new Topic();
  readonly onConnection = new Topic();
  readonly onLoop = new Topic();
  readonly onRuns = new Topic();
  readonly onCluster = new Topic();

  /** By the server's clock, which all times of the protocol are of. */
  now(): number {
    return Date.now() + this.clockOffset;
  }
}
