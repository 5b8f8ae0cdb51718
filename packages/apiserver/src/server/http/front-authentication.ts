import { X509Certificate } from 'node:crypto';
import type { Http2ServerRequest } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { newUnauthorized } from '@windlass/apimachinery';
import { ANONYMOUS, type Authenticator, type Credentials, type UserInfo } from '../../access/user.ts';
import type { Auditor } from '../../audit/auditor.ts';
import type { ServerRequest } from '../../exchange/exchange.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { certificateOf, type ShownCertificate } from './http-request.ts';
import { webSocketToken } from './websocket-token.ts';

export interface FrontAuthenticationOptions {
  readonly authenticator: Authenticator;
  /**
   * Whether a caller without credentials is `system:anonymous`, who may do what roles allow that user: by default read
   * the health and the version. Otherwise such a caller gets 401.
   * @default true
   */
  readonly allowAnonymous?: boolean;
  /** PEM of the authority of front proxies, which say who asks. @default there are none */
  readonly frontProxyCa?: string | undefined;
  /** @default nothing is told of requests */
  readonly auditor?: Auditor | undefined;
}

/** Who a request over HTTPS comes from. */
export class FrontAuthentication {
  readonly #options: FrontAuthenticationOptions;
  readonly #certificates = new WeakMap<object, ShownCertificate | undefined>();

  readonly #frontProxyRoots: ReadonlySet<string>;

  constructor(options: FrontAuthenticationOptions) {
    this.#options = options;
    this.#frontProxyRoots = new Set(
      certificatesIn(options.frontProxyCa ?? '').map((pem) => new X509Certificate(pem).fingerprint256),
    );
  }

  /** @throws StatusError 401, and the audit log says so too */
  async authenticate(
    request: Http2ServerRequest,
    asked: Omit<ServerRequest, 'user'>,
    info: RequestInfo,
  ): Promise<UserInfo> {
    try {
      return await this.#userOf(request);
    } catch (error) {
      await this.#tellRefusal(request, asked, info);
      throw error;
    }
  }

  async #userOf(request: Http2ServerRequest): Promise<UserInfo> {
    // The server takes TLS connections only.
    const socket = request.socket as TLSSocket;
    const shown = this.#certificateOf(request, socket);
    const verified = socket.authorized ? shown : undefined;
    const token = webSocketToken(request.headers);
    const headers =
      token === undefined || request.headers.authorization !== undefined
        ? request.headers
        : { ...request.headers, authorization: `Bearer ${token}` };
    const credentials: Credentials = { headers, ...this.#credentialsOf(verified, request) };
    const user = await this.#options.authenticator.authenticate(credentials);
    if (user !== undefined) return user;
    // Credentials that nobody accepts are not the same as none.
    const gaveSome = headers.authorization !== undefined || shown !== undefined;
    if (gaveSome || this.#options.allowAnonymous === false) throw newUnauthorized('Unauthorized');
    return ANONYMOUS;
  }

  /** A front proxy's certificate says only that it is one, and a user's only who the user is. */
  #credentialsOf(
    verified: ShownCertificate | undefined,
    { rawHeaders }: Http2ServerRequest,
  ): Pick<Credentials, 'certificate' | 'frontProxy'> {
    if (verified === undefined) return {};
    const { root, ...certificate } = verified;
    if (this.#frontProxyRoots.size === 0) return { certificate };
    // Without knowing which authority signed it, it could be either.
    if (root === undefined) return {};
    if (!this.#frontProxyRoots.has(root)) return { certificate };
    return { frontProxy: { commonName: certificate.commonName, rawHeaders } };
  }

  /** Parsing a certificate costs as much as half a write, so each connection's is parsed once. */
  #certificateOf(request: Http2ServerRequest, socket: TLSSocket): ShownCertificate | undefined {
    const connection = request.stream?.session ?? socket;
    if (!this.#certificates.has(connection)) this.#certificates.set(connection, certificateOf(socket));
    return this.#certificates.get(connection);
  }

  async #tellRefusal(
    request: Http2ServerRequest,
    asked: Omit<ServerRequest, 'user'>,
    info: RequestInfo,
  ): Promise<void> {
    const authorization = request.headers.authorization ?? '';
    // The server takes TLS connections only.
    const certificate = this.#certificateOf(request, request.socket as TLSSocket);
    const methods = [
      ...(/^bearer\s+\S/i.test(authorization) ? ['bearer'] : []),
      ...(/^basic\s+\S/i.test(authorization) ? ['basic'] : []),
      ...(certificate === undefined ? [] : ['x509']),
    ];
    await this.#options.auditor
      ?.begin(asked, undefined, info)
      ?.unauthenticated(
        methods.length === 0
          ? 'Authentication failed, no credentials provided'
          : `Authentication failed, attempted: ${methods.join(', ')}`,
      );
  }
}

/** Each certificate of a PEM bundle. */
function certificatesIn(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
}
