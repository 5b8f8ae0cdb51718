// The storage protocols: CSI, and how a plugin makes itself known to the kubelet. Both are pinned in
// tools/csi/go.mod.
import { readText } from './files.ts';
import { downloadModuleDirectories } from './modules.ts';
import { parseProto } from './proto.ts';
import { printProtocolTable, printProtocolTypes } from './protocol-table.ts';

const SPEC = 'github.com/container-storage-interface/spec';
const KUBELET = 'k8s.io/kubelet';

/** Every file of packages/csi/src/generated, by its name. */
export async function buildCsiOutputs(pinDirectory: string): Promise<Map<string, string>> {
  const modules = await downloadModuleDirectories(pinDirectory, [SPEC, KUBELET]);
  const outputs = new Map<string, string>();
  const add = (name: string, module: string, file: string): void => {
    const { Dir, Version } = modules(module);
    const proto = parseProto(readText(`${Dir}/${file}`));
    const origin = `${module} ${Version}`;
    outputs.set(`${name}.ts`, printProtocolTypes(proto, origin));
    outputs.set(`${name}-table.ts`, printProtocolTable(proto, origin));
  };
  add('csi', SPEC, 'csi.proto');
  add('registration', KUBELET, 'pkg/apis/pluginregistration/v1/api.proto');
  return outputs;
}
