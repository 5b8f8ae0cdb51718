import type { Clock, Random } from '@windlass/base';
import { type CsiDriver, GrpcError } from '@windlass/csi';
import type { NodeDriver } from '@windlass/kubelet';

const MIN_TRAVEL_MS = 0.1;
const MAX_TRAVEL_MS = 3;

/** What a node's driver is at the moment; undefined while its process is down. */
export type FindDriver = () => CsiDriver | undefined;

/**
 * The socket between a kubelet and a driver of its node. A driver that is down, or that dies before it has answered,
 * is UNAVAILABLE; a kubelet that dies hears nothing any more, and the driver goes on.
 */
export function driverLink(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  find: FindDriver,
): NodeDriver {
  const travel = (): Promise<void> =>
    new Promise(
      (resolve) =>
        void clock.setTimeout(resolve, MIN_TRAVEL_MS + random.next() * (MAX_TRAVEL_MS - MIN_TRAVEL_MS)),
    );
  const call = async (method: keyof NodeDriver, request: object, options?: object): Promise<unknown> => {
    await travel();
    const driver = find();
    if (driver === undefined) throw away();
    // The driver has the methods that a node asks for, and the same requests.
    const serve = driver[method] as (request: object, options?: object) => Promise<unknown>;
    let isAnswered = false;
    const looking = unlessGone(
      clock,
      () => find() === driver,
      () => isAnswered,
    );
    try {
      const answer = await Promise.race([serve(request, options), looking]);
      isAnswered = true;
      await travel();
      return answer;
    } finally {
      isAnswered = true;
    }
  };
  // The methods come from the name at run time; the type says which ones.
  return new Proxy({} as NodeDriver, {
    get: (_, method) => (request: object, options?: object) =>
      call(method as keyof NodeDriver, request, options), // one of the methods of the type
  });
}

const LOOK_MS = 100;

/** Rejects as soon as the driver is another one, or none. */
async function unlessGone(clock: Clock, isThere: () => boolean, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    if (!isThere()) throw away();
    await new Promise<void>((resolve) => void clock.setTimeout(resolve, LOOK_MS));
  }
}

const away = (): GrpcError => new GrpcError('UNAVAILABLE', 'the driver is away');
