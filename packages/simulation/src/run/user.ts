import { WindlassError } from '@windlass/base';
import { milliseconds } from '../plan/check-values.ts';
import type { User } from '../simulation.ts';
import { USER, type World } from '../world/world.ts';

const LOOK_MS = 500;
const UNTIL_MS = 600_000;

/** Who works with the cluster of a run. */
export function simulatedUser(world: World): User {
  const { time } = world;
  const pass = async (ms: number): Promise<void> => {
    milliseconds('ms of pass', ms);
    await new Promise<void>((resolve) => void time.set(USER, resolve, ms));
  };
  return {
    client: world.userClient,
    random: time.randomFor('workload'),
    pass,
    until: async (what, holds) => {
      const deadline = time.elapsedMs + UNTIL_MS;
      while (!(await holds())) {
        if (time.elapsedMs >= deadline)
          throw new WindlassError(`waited ten virtual minutes in vain: ${what}`, { code: 'IN_VAIN' });
        await pass(LOOK_MS);
      }
    },
  };
}
