export const VERSION = '0.1.0';

export const HELP = `windlass ${VERSION}: a Kubernetes control plane in one process

Usage: windlass COMMAND [flags]

Commands:
  up           start the control plane; it runs until you stop it
  apiserver    start the API server alone
  controller-manager
               run the controllers against any cluster
  scheduler    give pods to nodes, in any cluster
  kubelet      simulated nodes for any cluster
  generate     code and manifests for custom resources
  new          an operator, ready to run and to test
  version      print the version
  help         print this

Flags of up and apiserver:
  --data-dir DIR       where state is kept            (default .windlass)
  --host ADDRESS       address to listen on           (default 127.0.0.1)
  --port PORT          port to listen on, 0 picks one (default 7443)
  --in-memory          keep objects in memory only
  --nodes N            simulated nodes; for up alone  (default 3)
  --output FORMAT      text or json                   (default text)
  --log-level LEVEL    debug, info, warn or error     (default warn)
  --audit-level LEVEL  None, Metadata, Request or RequestResponse: what is
                       logged of requests             (default None)
  --audit-policy FILE  an audit.k8s.io/v1 Policy, instead of one level
  --audit-log FILE     where to                       (default DATA-DIR/audit.log)

Flags of controller-manager:
  --kubeconfig FILE, --context NAME  the cluster (default KUBECONFIG, ~/.kube/config,
                       or that of the pod)
  --controllers LIST   which ones: '*', or '*,-job'   (default *)
  --leader-elect       let one of several replicas lead
  --concurrent-deployment-syncs N, --concurrent-gc-syncs N, …
                       how much each works on at a time
  --metrics-port PORT  where /metrics is served       (default nowhere)
  --log-level LEVEL    debug, info, warn or error     (default info)

Flags of scheduler and kubelet, beside --kubeconfig, --context, --log-level and --metrics-port:
  --leader-elect       of scheduler: let one of several replicas lead
  --scheduler-name S   of scheduler: whose pods       (default default-scheduler)
  --node-name NAME     of kubelet: a node to be; may be given again (default the host's name)
  --node-labels K=V,…  of kubelet: beside those that every node has
  --capacity K=V,…     of kubelet: such as cpu=8,memory=32Gi,pods=110

Examples:
  windlass up
  windlass up --port 0 --in-memory --output json
  kubectl --kubeconfig .windlass/kubeconfig get namespaces
`;
