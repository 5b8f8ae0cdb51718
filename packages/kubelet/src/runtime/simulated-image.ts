// What is known of a few images that tests and examples are full of.
import type { DeepReadonly } from '@windlass/apimachinery';
import type { Container } from '@windlass/apimachinery/api/core/v1';

/** What of upstream's test image serves until it is stopped, by the name of its command. */
const SERVERS = new Set([
  'guestbook',
  'grpc-health-checking',
  'liveness',
  'net',
  'netexec',
  'nettest',
  'no-snat-test-proxy',
  'pause',
  'porter',
  'resource-consumer-controller',
  'serve-hostname',
  'test-webserver',
  'tcp-reset',
  'webhook',
]);

/** Whether the container is known to run until it is stopped, also in a pod of a Job. */
export function runsForEver({ image = '', command, args }: DeepReadonly<Container>): boolean {
  const name = nameOf(image);
  if (command !== undefined && command.length > 0) return baseName(command[0] ?? '') === 'pause';
  if (name === 'pause' || name.startsWith('pause-')) return true;
  return name === 'agnhost' && SERVERS.has(args?.[0] ?? 'pause');
}

/** Upstream's test image answers that it is well for ten seconds, and then that it is not. */
export function isWellFor({ image = '', args }: DeepReadonly<Container>): number | undefined {
  return nameOf(image) === 'agnhost' && args?.[0] === 'liveness' ? 10_000 : undefined;
}

/** What the image itself prints when it starts, without a command of the pod's; undefined: nothing is known. */
export function printsFirst({ image = '', command = [], args }: DeepReadonly<Container>): string | undefined {
  return nameOf(image) === 'agnhost' && command.length === 0 && (args?.[0] ?? 'pause') === 'pause'
    ? 'Paused'
    : undefined;
}

/** Without registry, tag and digest. */
function nameOf(image: string): string {
  return baseName(image.replace(/@.*$/, '')).replace(/:.*$/, '');
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
