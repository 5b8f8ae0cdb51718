import type { Random } from '@windlass/base';
import type { Ledger } from './ledger.ts';
import { pickFree } from './pick-free.ts';

/** The node ports that one write takes. */
export interface PortClaims {
  /** What is wrong with the port, in upstream's words; undefined when it is now the service's. */
  readonly take: (port: number) => string | undefined;
  /** Undefined when none is left. */
  readonly takeFree: () => number | undefined;
}

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

const TAKEN = 'provided port is already allocated';
/** What upstream shows first to whoever only tries. It is no port that anybody gets. */
const FIRST_TRIED = 32_769;

/** Takes ports from the ledger. `onTake` is told of each. */
export function claimPorts(
  ledger: Ledger<number>,
  { first, last }: PortRange,
  random: Random,
  owner: string,
  onTake: (port: number) => void,
): PortClaims {
  const take = (port: number): undefined => {
    ledger.take(port, owner);
    onTake(port);
  };
  return {
    take: (port) => {
      if (port < first || port > last)
        return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
      return ledger.has(port) ? TAKEN : take(port);
    },
    takeFree: () => {
      const offset = pickFree(last - first + 1, (at) => !ledger.has(first + at), random);
      if (offset === undefined) return undefined;
      take(first + offset);
      return first + offset;
    },
  };
}

/** For a write that is only tried: the ledger stays as it is, and, as upstream, any number is a port. */
export function tryPorts(ledger: Ledger<number>): PortClaims {
  const tried = new Set<number>();
  return {
    take: (port) => {
      if (ledger.has(port) || tried.has(port)) return TAKEN;
      tried.add(port);
      return undefined;
    },
    takeFree: () => {
      const port = tried.size === 0 ? FIRST_TRIED : Math.max(0, ...tried) + 1;
      tried.add(port);
      return port;
    },
  };
}
