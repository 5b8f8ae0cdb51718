#!/usr/bin/env bash
# Runs one of kubectl's own test functions against a server that already runs: `driver.sh run_pod_tests`, or
# `driver.sh between` for what test/cmd/legacy-script.sh checks itself, between its functions. Its environment says
# where things are: SCRIPTS is a copy of the sources of k8s.io/kubernetes that may be written to, SECURE_API_PORT the
# server, TMPDIR an empty folder. The functions, their variables and their helpers are those of the sources.
set -o errexit -o nounset -o pipefail

chosen=$1
cd "$SCRIPTS"
export TERM=xterm HOME="$TMPDIR"
unset KUBECONFIG

source hack/lib/init.sh
source hack/lib/test.sh
# It checks itself with a command that must fail, and says so at length.
source test/cmd/legacy-script.sh > /dev/null 2>&1

# Runs the chosen function where the sources would run each of theirs; the sources' own version writes JUnit reports.
record_command() {
  [[ $chosen == between ]] && return
  # Some count on one that a function before them has left.
  create_and_use_new_namespace
  set +o nounset +o errexit
  ("$chosen")
  exit
}

KUBE_TEMP=$TMPDIR
CONTEXT=test
# The sources look for it with a pipe that breaks on a busy machine.
SED=$(command -v gsed || command -v sed)
kubectl config set-credentials test-admin --token admin-token
kubectl config set-cluster local --insecure-skip-tls-verify --server "https://127.0.0.1:$SECURE_API_PORT"
kubectl config set-context "$CONTEXT" --user test-admin --cluster local
kubectl config use-context "$CONTEXT"

# Upstream's server allows everything to everybody; what is not allowed is not what these scripts are about. The group
# is that of a review among them.
kubectl create clusterrolebinding always-allow --clusterrole=cluster-admin \
  --group=system:authenticated --group=system:unauthenticated --group=the-group

# The one node that the functions expect. Nobody runs its pods. The annotation makes it have field managers.
kubectl create -f - << 'NODE'
apiVersion: v1
kind: Node
metadata: { name: 127.0.0.1, annotations: { save-managers: "true" } }
status: { capacity: { memory: 1Gi } }
NODE
# In upstream's run, where it is older, it has long been given up.
kubectl wait --for=condition=Ready=Unknown --timeout=60s node/127.0.0.1

# The server is of another release than kubectl.
ALLOW_SKEW=true
SUPPORTED_RESOURCES=('*')
# With WHAT the sources run nothing but one function, whose name is given above.
[[ $chosen == between ]] || WHAT=chosen
runTests
