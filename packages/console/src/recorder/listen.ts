import { channel } from 'node:diagnostics_channel';

/** Subscribes to a channel whose messages are all of one type: the one that stands beside the channel. */
export function listen<T>(name: string, listener: (message: T) => void): Disposable {
  // What is published comes as unknown.
  const told = (message: unknown): void => listener(message as T);
  channel(name).subscribe(told);
  return { [Symbol.dispose]: () => void channel(name).unsubscribe(told) };
}
