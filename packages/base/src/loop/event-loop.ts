let waiting = 0;

/**
 * Resolves on the next turn of the event loop: sockets and timers get their turn first. For loops whose
 * awaits may all be settled already, and which would then let nothing else run. No clock moves by it.
 */
export function nextTurn(): Promise<void> {
  waiting++;
  return new Promise((resolve) => {
    setImmediate(() => {
      waiting--;
      resolve();
    });
  });
}

/**
 * Resolves when all that follows from what has happened has run up to its next wait for a clock or for the outside: also
 * what gave others a turn in between.
 * @param maxTurns who takes more turns waits for something else by taking them
 */
export function turnsOver(maxTurns: number): Promise<void> {
  return actInTurns(() => false, maxTurns);
}

/** So many calls are prepared at once: the event loop need not go round for each. */
const PREPARED = 32;

/**
 * Calls `act` again and again for as long as it returns true, each time when all that follows from the call before has
 * run, as `turnsOver` says it. Rejects with what `act` throws.
 */
export function actInTurns(act: () => boolean, maxTurns: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let turns = 0;
    const once = (): void => {
      // Who waits for a turn gets it when these calls are through, and what follows from it runs before the next ones.
      if (isOver || (waiting > 0 && turns < maxTurns)) return;
      turns = 0;
      try {
        if (act()) return;
        resolve();
      } catch (error) {
        reject(error);
      }
      isOver = true;
    };
    const prepare = (): void => {
      if (isOver) return;
      turns++;
      for (let call = 0; call < PREPARED; call++) setImmediate(once);
      setImmediate(prepare);
    };
    prepare();
  });
}
