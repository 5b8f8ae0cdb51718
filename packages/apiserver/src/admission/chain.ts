import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';

/** The admission plugins in their order. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  /** Once more, when one that changes what others look at asks for it. */
  async mutate(request: AdmissionRequest): Promise<void> {
    if (!(await this.#mutate(request, false))) return;
    await this.#mutate(request, true);
  }

  async #mutate(request: AdmissionRequest, isAgain: boolean): Promise<boolean> {
    let isAsked = false;
    for (const plugin of this.#plugins) {
      const run = isAgain ? (plugin.reinvoke ?? plugin.mutate) : plugin.mutate;
      if (run === undefined || !plugin.handles(request)) continue;
      const result = run(request);
      // Most plugins are synchronous, and a write passes a dozen of them.
      if ((result instanceof Promise ? await result : result) === 'reinvoke') isAsked = true;
    }
    return isAsked;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.validate === undefined || !plugin.handles(request)) continue;
      const result = plugin.validate(request);
      if (result !== undefined) await result;
    }
  }
}
