import { apiserverCommand } from './apiserver.ts';
import type { Command } from './command.ts';
import { completionCommand } from './completion.ts';
import { controllerManagerCommand } from './controller-manager.ts';
import { controllerCommand } from './directpv/controller.ts';
import { directpvCommand } from './directpv/directpv.ts';
import { nodeCommand } from './directpv/node.ts';
import { generateCommand } from './generate/generate.ts';
import { kubeletCommand } from './kubelet.ts';
import { newCommand } from './new/new-command.ts';
import { schedulerCommand } from './scheduler.ts';
import { upCommand } from './up.ts';

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [
  upCommand,
  apiserverCommand,
  controllerManagerCommand,
  schedulerCommand,
  kubeletCommand,
  directpvCommand('windlass', [controllerCommand, nodeCommand]),
  generateCommand,
  newCommand,
  completionCommand(() => COMMANDS),
];
