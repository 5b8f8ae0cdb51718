import { isJsonObject } from '@windlass/apimachinery';
import { WindlassError } from '@windlass/base';
import type { TryRequest } from '../protocol.ts';

/** What was asked for on the page Try cannot be done. */
export class TryError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'CANNOT_TRY' });
  }
}

const MAX_REPLICAS = 500;
const MAX_SECONDS = 60;

/** @throws TryError that names what is wrong */
export function parseTry(body: unknown): TryRequest {
  if (!isJsonObject(body)) throw new TryError('the request is no JSON object');
  const text = (name: string): string => {
    const value = body[name];
    if (typeof value !== 'string' || value === '') throw new TryError(`${name} is missing`);
    return value;
  };
  const whole = (name: string, min: number, max: number): number => {
    const value = body[name];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      throw new TryError(
        `${name} is ${JSON.stringify(value)}; it must be a whole number from ${min} to ${max}`,
      );
    return value;
  };
  const { action } = body;
  switch (action) {
    case 'scale':
      return {
        action,
        resource: text('resource'),
        key: text('key'),
        replicas: whole('replicas', 0, MAX_REPLICAS),
      };
    case 'delete':
      return { action, resource: text('resource'), key: text('key') };
    case 'create-deployment':
      return { action, name: text('name'), replicas: whole('replicas', 0, MAX_REPLICAS) };
    case 'lose-node':
    case 'bring-back-node':
      return { action, node: text('node') };
    case 'hold-watches':
      return { action, seconds: whole('seconds', 1, MAX_SECONDS) };
    case 'drop-requests':
      return { action, percent: whole('percent', 1, 100), seconds: whole('seconds', 1, MAX_SECONDS) };
    default:
      throw new TryError(`there is nothing to try under the name ${JSON.stringify(action)}`);
  }
}
