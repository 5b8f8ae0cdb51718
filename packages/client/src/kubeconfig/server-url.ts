/**
 * A server as people write it, as a URL: without a scheme it is https when anything speaks of TLS and
 * http otherwise, and a slash at the end means nothing. Undefined when no URL can be made of it.
 */
export function toServerUrl(server: string, hasTls: boolean): string | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `${hasTls ? 'https' : 'http'}://${server}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
