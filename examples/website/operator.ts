// What the operator consists of: its program, its tests and its manifests are made from this.
import type { Manager } from '@windlass/runtime';
import { registerWebsiteController } from './controller.ts';
import { websiteWebhooks } from './webhooks.ts';
import { websiteDefinition } from './website.ts';

export const definitions = [websiteDefinition];
export const webhooks = websiteWebhooks;

export function register(manager: Manager): void {
  registerWebsiteController(manager);
}
