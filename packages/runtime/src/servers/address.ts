import { InvalidArgumentError } from '@windlass/base';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** `127.0.0.1:8080`, `[::1]:8080`, `:8080` for every interface, `8080` for loopback. Port 0 picks a free one. */
export function parseAddress(option: string, text: string): Address {
  const match = /^(?:(\[[^\]]+\]|[^:]*):)?(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535)
    throw new InvalidArgumentError(option, text, 'an address such as 127.0.0.1:8080');
  const host = match[1] === undefined ? '127.0.0.1' : match[1] === '' ? '::' : match[1].replace(/[[\]]/g, '');
  return { host, port };
}
