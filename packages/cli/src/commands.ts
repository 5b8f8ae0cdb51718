import { addCommand } from './add/add-command.ts';
import { backupCommand, restoreCommand } from './clusters/backup.ts';
import { clusterListCommand } from './clusters/list.ts';
import { resetCommand } from './clusters/reset.ts';
import { statusCommand } from './clusters/status.ts';
import { stopCommand } from './clusters/stop.ts';
import type { Command } from './command-line/command.ts';
import { commandGroup } from './command-line/command-group.ts';
import { completionCommand } from './completion.ts';
import { apiserverCommand } from './control-plane/apiserver.ts';
import { controllerManagerCommand } from './control-plane/controller-manager.ts';
import { kubeletCommand } from './control-plane/kubelet.ts';
import { migrateCommand } from './control-plane/migrate.ts';
import { schedulerCommand } from './control-plane/scheduler.ts';
import { upCommand } from './control-plane/up.ts';
import { devCommand } from './dev/dev-command.ts';
import { controllerCommand } from './directpv/controller.ts';
import { directpvCommand } from './directpv/directpv.ts';
import { nodeCommand } from './directpv/node.ts';
import { generateCommand } from './generate/generate.ts';
import { newCommand } from './new/new-command.ts';
import { nodeJoinCommand } from './node/node-join-command.ts';
import { simCommand } from './sim/sim-command.ts';
import { TOKEN_COMMANDS } from './token/token-commands.ts';
import { whyCommand } from './why/why-command.ts';

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [
  upCommand,
  statusCommand,
  clusterListCommand,
  stopCommand,
  resetCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  commandGroup('token', 'tokens with which machines join as nodes', TOKEN_COMMANDS),
  commandGroup('node', 'real nodes', [nodeJoinCommand]),
  whyCommand,
  devCommand,
  simCommand,
  apiserverCommand,
  controllerManagerCommand,
  schedulerCommand,
  kubeletCommand,
  directpvCommand('windlass', [controllerCommand, nodeCommand]),
  generateCommand,
  newCommand,
  addCommand,
  completionCommand(() => COMMANDS),
];
