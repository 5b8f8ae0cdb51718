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

/** How many wait for `nextTurn`: while there are some, work of this moment is left. */
export function turnsWaiting(): number {
  return waiting;
}
