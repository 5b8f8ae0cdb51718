import type { DeepReadonly } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';

/** A port of the node itself that a pod takes. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const ANY_IP = '0.0.0.0';

export function hostPortsOf({ spec }: DeepReadonly<Pod>): readonly HostPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(spec?.containers ?? []), ...sidecars].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, hostIP, protocol }) =>
      hostPort === undefined || hostPort <= 0
        ? []
        : [
            {
              ip: hostIP === undefined || hostIP === '' ? ANY_IP : hostIP,
              protocol: protocol ?? 'TCP',
              port: hostPort,
            },
          ],
    ),
  );
}

/** Two that are for any address are in each other's way, and in that of all others. */
export function portsConflict(a: HostPort, b: HostPort): boolean {
  return (
    a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ANY_IP || b.ip === ANY_IP)
  );
}
