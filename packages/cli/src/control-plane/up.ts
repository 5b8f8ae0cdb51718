import type { Command } from '../command-line/command.ts';
import { runControlPlane } from './control-plane.ts';
import { ETCD_HELP } from './etcd-flags.ts';

const DEFAULT_NODES = 3;

/** Flags that `up` and `apiserver` share. */
export const SERVER_FLAGS = `  --data-dir DIR       where state is kept            (default .windlass)
  --name NAME          tells clusters apart: its data is in ~/.local/share/windlass/NAME, its
                       context is windlass-NAME, its port a free one (default none)
  --detach             run in the background: return when it is ready; the log is
                       DATA-DIR/windlass.log
  --merge-kubeconfig   add the cluster to your kubeconfig ($KUBECONFIG or ~/.kube/config) as the
                       context windlass or windlass-NAME; windlass reset takes it out again
  --host ADDRESS       address to listen on           (default 127.0.0.1)
  --advertise-address ADDRESS  by which nodes and pods reach it; its certificate has it, too
                       (default the host, or the machine's first address)
  --port PORT          port to listen on, 0 picks one (default 7443)
  --in-memory          keep nothing: objects are in memory, and all else goes when it stops
  --accept-data-loss   start also when stored writes are missing, and go on without them
${ETCD_HELP}
  --output FORMAT      text or json                   (default text)
  --log-level LEVEL    debug, info, warn or error     (default warn)
  --audit-level LEVEL  None, Metadata, Request or RequestResponse: what is
                       logged of requests             (default None)
  --audit-policy FILE  an audit.k8s.io/v1 Policy, instead of one level
  --audit-log FILE     where to                       (default DATA-DIR/audit.log)
  --anonymous-auth B   true: callers without credentials may read health and
                       version; false: they get 401   (default true)
  --token-auth-file FILE  bearer tokens: lines of token,user,uid,"group,group"
                       as kube-apiserver reads them   (default none)
  --enable-bootstrap-token-auth B  true: tokens of windlass token authenticate machines
                       that join                      (default true)
  --disable-admission-plugins LIST  what is not done to objects that are written, by
                       kube-apiserver's names, such as ServiceAccount (default none)
  --max-requests-inflight N           reading and writing requests that are served
  --max-mutating-requests-inflight N  at once: the sum of both is divided among the
                       priority levels                (default 400 and 200)`;

export const upCommand: Command = {
  name: 'up',
  summary: 'start the control plane; it runs until you stop it',
  help: `windlass up: API server, controllers, scheduler, nodes and DirectPV in one process

Usage: windlass up [flags]

It runs until you stop it, with Ctrl-C or windlass stop. The next start continues with the same state. The
kubeconfig is DATA-DIR/kubeconfig.

Flags:
${SERVER_FLAGS}
  --nodes N            simulated nodes                (default 3; none with containerd)
  --runtime WHAT       simulated; containerd: this machine is the node, and pods are
                       containers on it, which needs root; auto: containerd where it
                       is there, and else simulated   (default simulated)
  --runtime-endpoint SOCKET  where containerd listens (default
                       unix:///run/containerd/containerd.sock)
  --drives N           drives of each node, 0 for no DirectPV (default 4)
  --drive-size SIZE    what volumes may have on each  (default 10Gi)
  --drive-backend HOW  loop: files with XFS behind loop devices, which needs root;
                       directory: directories, which nothing limits;
                       auto: loop where it may        (default auto)
  --no-console         no console: the page that shows the loop, live, in a browser
  --approve-kubelet-serving B  true: real nodes get serving certificates for their own addresses;
                       false: people approve them     (default true)
  --no-init            leave the drives to windlass directpv discover and init

With --output json stdout has one JSON object a line; {"event":"ready","server":…,"kubeconfig":…,"console":…}
comes when every part serves. With --detach it has "pid" and "log" too.

Examples:
  windlass up
  windlass up --nodes 10 --data-dir /var/lib/windlass
  windlass up --host 0.0.0.0 --advertise-address 192.0.2.7 --nodes 0
  windlass up --port 0 --in-memory --output json
  windlass up --name dev --detach --merge-kubeconfig
`,
  run: (args, terminal, signal) =>
    runControlPlane(args, terminal, signal, { controllers: ['*'], nodes: DEFAULT_NODES }),
};
