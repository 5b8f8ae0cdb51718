import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';

/** So many tokens are remembered: those of a node's pods and of some controllers, several times over. */
const MAX_REMEMBERED = 4096;

/**
 * What tokens said whose signature was found good. A signature stays good for ever, and to verify one costs more than
 * many a request; whether the token has begun or ended, and whether its service account is still there, is asked anew
 * for each request. Tokens themselves are not kept, only their hashes.
 */
export class VerifiedTokens {
  readonly #payloads = new Map<string, JWTPayload>();

  /** Undefined when the token is not known, or has not begun or has ended by now, in seconds. */
  find(token: string, now: number): JWTPayload | undefined {
    const payload = this.#payloads.get(hashOf(token));
    if (payload === undefined) return undefined;
    const { nbf = 0, exp = 0 } = payload;
    // A verification answers those that are too early or too late, in its own words.
    return nbf <= now && now < exp ? payload : undefined;
  }

  add(token: string, payload: JWTPayload): void {
    if (this.#payloads.size >= MAX_REMEMBERED) {
      const [oldest] = this.#payloads.keys();
      if (oldest !== undefined) this.#payloads.delete(oldest);
    }
    this.#payloads.set(hashOf(token), payload);
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64');
}
