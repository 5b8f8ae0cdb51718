/** Who a token says it is from, unverified; undefined when it is no token of this kind. */
export function unverifiedIssuer(token: string): unknown {
  const [, payload] = token.split('.', 3);
  if (payload === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? Reflect.get(value, 'iss') : undefined;
  } catch {
    return undefined;
  }
}
