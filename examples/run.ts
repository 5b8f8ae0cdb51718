// What every example's main does: settings from outside, a manager, and a clean end at Ctrl-C.
import { loadManagerConfig, Manager, managerConfigHelp, type Webhook } from '@windlass/runtime';

/** Runs until SIGINT or SIGTERM. Exit codes: 0 done, 1 it failed, 2 the call was wrong. */
export async function runExample(
  name: string,
  register: (manager: Manager) => unknown,
  webhooks: readonly Webhook[] = [],
): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(`node examples/${name}/main.ts [flags]\n\n${managerConfigHelp(name)}`);
    return;
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    const { options } = await loadManagerConfig({ name, webhooks });
    const manager = new Manager(options);
    await register(manager);
    await manager.run(stop.signal);
  } catch (error) {
    const isWrongCall = error instanceof Error && 'code' in error && error.code === 'INVALID_SETTING';
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = isWrongCall ? 2 : 1;
  }
}
