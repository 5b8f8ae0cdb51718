import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';

/** The admission plugins in their order. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  async mutate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.mutate === undefined || !plugin.handles(request)) continue;
      const result = plugin.mutate(request);
      // Most plugins are synchronous, and a write passes a dozen of them.
      if (result !== undefined) await result;
    }
  }

  async validate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.validate === undefined || !plugin.handles(request)) continue;
      const result = plugin.validate(request);
      if (result !== undefined) await result;
    }
  }
}
