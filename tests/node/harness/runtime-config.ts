// The configuration of a container runtime that is nobody else's: its own root, state, socket and network plugins.
import { join } from 'node:path';

export const PAUSE_IMAGE = 'windlass.test/pause:1';
export const BUSYBOX_IMAGE = 'windlass.test/busybox:1';
/** Static: it runs in an image that has nothing else. */
export const BUSYBOX = '/bin/busybox';
/** Where Debian has the plugins. */
export const CNI_PLUGINS = '/usr/lib/cni';

export interface ContainerdOptions {
  readonly folder: string;
  readonly cniFolder: string;
  readonly pauseImage: string;
}

/** For containerd 1.6 and 1.7. */
export function containerdConfig({ folder, cniFolder, pauseImage }: ContainerdOptions): string {
  return `version = 2
root = "${join(folder, 'root')}"
state = "${join(folder, 'state')}"

[grpc]
  address = "${join(folder, 'containerd.sock')}"

[plugins."io.containerd.internal.v1.opt"]
  path = "${join(folder, 'opt')}"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  # Where CAP_SYS_RESOURCE is missing, runc could not start anything otherwise.
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${CNI_PLUGINS}"
    conf_dir = "${cniFolder}"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
`;
}

/** A bridge in the node's own network, with addresses that only this node gives. */
export function cniConfig(net: number): string {
  return JSON.stringify({
    cniVersion: '0.4.0',
    name: 'windlass',
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        isGateway: true,
        ipMasq: true,
        ipam: {
          type: 'host-local',
          ranges: [[{ subnet: `10.${net}.64.0/24` }]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  });
}
