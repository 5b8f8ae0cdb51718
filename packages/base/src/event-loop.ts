/**
 * Resolves on the next turn of the event loop: sockets and timers get their turn first. For loops whose
 * awaits may all be settled already, and which would then let nothing else run. No clock moves by it.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
