// The protocols between processes of one machine: CSI, how a plugin makes itself known to the kubelet, and the container
// runtime interface. All are pinned in tools/csi/go.mod.
import { readText } from './files.ts';
import { type DownloadedModule, downloadModuleDirectories } from './modules.ts';
import { parseProto, usedByMethods } from './proto.ts';
import { printProtocolTable, printProtocolTypes, type TableOptions } from './protocol-table.ts';

const SPEC = 'github.com/container-storage-interface/spec';
const KUBELET = 'k8s.io/kubelet';
const CRI = 'k8s.io/cri-api';
const CRI_TABLE: TableOptions = { isPlain: true, isPublic: false };

/** Every file of packages/csi/src/generated, by its name. */
export async function buildCsiOutputs(pinDirectory: string): Promise<Map<string, string>> {
  const modules = await downloadModuleDirectories(pinDirectory, [SPEC, KUBELET]);
  return new Map([
    ...outputs('csi', modules(SPEC), 'csi.proto'),
    ...outputs('registration', modules(KUBELET), 'pkg/apis/pluginregistration/v1/api.proto'),
  ]);
}

/** Every file of packages/kubelet/src/cri/generated, by its name. */
export async function buildCriOutputs(pinDirectory: string): Promise<Map<string, string>> {
  const modules = await downloadModuleDirectories(pinDirectory, [CRI]);
  return new Map(outputs('cri', modules(CRI), 'pkg/apis/runtime/v1/api.proto', CRI_TABLE));
}

function outputs(
  name: string,
  { Path, Version, Dir }: DownloadedModule,
  file: string,
  table?: TableOptions,
): [name: string, text: string][] {
  const whole = parseProto(readText(`${Dir}/${file}`));
  const proto = table === undefined ? whole : usedByMethods(whole);
  const origin = `${Path} ${Version}`;
  return [
    [`${name}.ts`, printProtocolTypes(proto, origin, table)],
    [`${name}-table.ts`, printProtocolTable(proto, origin, table)],
  ];
}
