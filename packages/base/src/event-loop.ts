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
export async function turnsOver(maxTurns: number): Promise<void> {
  for (let turn = 0; turn < maxTurns; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (waiting === 0) return;
  }
}
