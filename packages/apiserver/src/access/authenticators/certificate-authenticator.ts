import { AUTHENTICATED, type Authenticator } from '../user.ts';

/** A verified client certificate says who one is: its common name the user, its organizations the groups. */
export const certificateAuthenticator: Authenticator = Object.freeze({
  authenticate: async ({ certificate }: Parameters<Authenticator['authenticate']>[0]) => {
    if (certificate === undefined || certificate.commonName === '') return undefined;
    const { commonName, organizations, uid } = certificate;
    return {
      name: commonName,
      groups: [...organizations, AUTHENTICATED],
      ...(uid !== undefined && { uid }),
    };
  },
});
