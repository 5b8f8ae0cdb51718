import { remoteUserOf } from '../remote-user.ts';
import type { Authenticator } from '../user.ts';

/**
 * A front proxy says who asks, in the headers `X-Remote-User`, `X-Remote-Uid`, `X-Remote-Group` and `X-Remote-Extra-*`.
 * It is believed only with a certificate that its own authority has signed.
 *
 * @param allowedNames the common names of such certificates; empty for any
 */
export function frontProxyAuthenticator(allowedNames: readonly string[]): Authenticator {
  return {
    authenticate: async ({ frontProxy }) => {
      if (frontProxy === undefined) return undefined;
      if (allowedNames.length > 0 && !allowedNames.includes(frontProxy.commonName)) return undefined;
      return remoteUserOf(frontProxy.rawHeaders);
    },
  };
}
