import { createHash } from 'node:crypto';

/** The full name of an image, as container runtimes report it: `nginx` is `docker.io/library/nginx:latest`. */
export function fullImageName(image: string): string {
  const slash = image.indexOf('/');
  const first = slash === -1 ? '' : image.slice(0, slash);
  // Only what looks like a host is one: a dot, a port, or localhost.
  const hasHost = first.includes('.') || first.includes(':') || first === 'localhost';
  const path = hasHost ? image : `docker.io/${slash === -1 ? 'library/' : ''}${image}`;
  const hasTag = /[:@][^/]*$/.test(path);
  return hasTag ? path : `${path}:latest`;
}

/** What a registry would call this image for ever; here it follows from the name alone. */
export function imageIdOf(fullName: string): string {
  if (fullName.includes('@')) return fullName;
  const slash = fullName.lastIndexOf('/');
  const colon = fullName.indexOf(':', slash);
  const repository = colon === -1 ? fullName : fullName.slice(0, colon);
  return `${repository}@sha256:${createHash('sha256').update(fullName).digest('hex')}`;
}
