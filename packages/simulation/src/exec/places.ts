import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

const PLACE = /\{(?:(?<own>kubeconfig|folder)|port:(?<port>[\w-]+))\}/g;

/** What commands and files of a program may have in braces, and what stands for it in a run. */
export interface Places {
  /** `{folder}`: a folder of the program's own, which goes with the run. */
  readonly folder: string;
  /** `{kubeconfig}` */
  readonly kubeconfig: string;
  /** `{port:NAME}`: ports of this machine that nothing else listened on when the run began. */
  readonly ports: ReadonlyMap<string, number>;
}

/** The text with its places filled in. @param quote how a value is written there */
export function fillPlaces(
  text: string,
  places: Places,
  quote: (value: string) => string = (value) => value,
): string {
  return text.replaceAll(PLACE, (whole, own?: 'kubeconfig' | 'folder', port?: string) => {
    if (port === undefined) return own === undefined ? whole : quote(places[own]);
    return String(places.ports.get(port) ?? whole);
  });
}

/** The text without its places, to look at what else is in it. */
export const withoutPlaces = (text: string): string => text.replaceAll(PLACE, '');

/** A port for each name that the texts mention, and for these. */
export async function portsFor(
  texts: readonly string[],
  names: readonly string[] = [],
): Promise<Map<string, number>> {
  const mentioned = texts.flatMap((text) =>
    [...text.matchAll(PLACE)].flatMap(({ groups }) => groups?.['port'] ?? []),
  );
  const distinct = [...new Set([...names, ...mentioned])];
  const ports = await freePorts(distinct.length);
  return new Map(distinct.map((name, index) => [name, ports[index] ?? 0]));
}

/** All are taken at the same time, so that no two are the same. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  try {
    await Promise.all(
      servers.map(async (server) => {
        if (!server.listening) await once(server, 'listening');
      }),
    );
    // A TCP server's address is an object.
    return servers.map((server) => (server.address() as AddressInfo).port);
  } finally {
    await Promise.all(
      servers.map((server) => new Promise<void>((resolve) => void server.close(() => resolve()))),
    );
  }
}
