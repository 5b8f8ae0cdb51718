import { existsSync } from 'node:fs';

/** What a kubelet must know of the machine. */
export interface Machine {
  /** Newer kubelets refuse control groups of version 1 unless they are told not to. */
  readonly hasCgroupV1: boolean;
  /** Whether systemd manages control groups. */
  readonly hasSystemd: boolean;
  /** Where the names of the machine's own resolver are; undefined for /etc/resolv.conf. */
  readonly resolvConf: string | undefined;
}

const RESOLVED = '/run/systemd/resolve/resolv.conf';

/** This machine. */
export function thisMachine(exists: (path: string) => boolean = existsSync): Machine {
  return {
    hasCgroupV1: !exists('/sys/fs/cgroup/cgroup.controllers'),
    hasSystemd: exists('/run/systemd/system'),
    // The other file names a resolver on loopback, which pods cannot reach.
    resolvConf: exists(RESOLVED) ? RESOLVED : undefined,
  };
}
