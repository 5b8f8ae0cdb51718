import { onAbort, toError } from '@windlass/base';
import type { Manager, ManagerConsole, Runnable } from '@windlass/runtime';
import { pageAssets } from './assets/page-assets.ts';
import { startConsole } from './server/start-console.ts';

/** Options of an operator's console. */
export interface LiveConsoleOptions {
  /** At the top of the page. @default 'operator' */
  readonly title?: string;
  /** On loopback; 0 picks a free one. @default 0 */
  readonly port?: number;
  /** Told the address, with its token, once it is served. @default it is written to stderr */
  readonly onReady?: (url: string) => void;
}

/**
 * The live console of an operator: `new Manager({ console: liveConsole() })`. It is for looking only, and listens on
 * loopback behind a token; in a pod, `kubectl port-forward` leads to it. A console that cannot be served, because its
 * port is taken, is an error in the log: the manager goes on without it.
 */
export function liveConsole(options: LiveConsoleOptions = {}): ManagerConsole {
  const { title = 'operator', port = 0, onReady = printUrl } = options;
  return {
    serve: (manager: Manager): Runnable => ({
      name: 'console',
      signalsReady: true,
      async run({ signal, ready }) {
        const { client, clock, random, logger, cluster } = manager;
        const started = startConsole({
          assets: pageAssets,
          title,
          port,
          server: undefined,
          client,
          controllers: () => manager.controllers.values(),
          // Of the managers in one process, each has its own console.
          isOwn: ({ controller, instance }) => manager.controllers.get(controller) === instance,
          peek: (kind, key) => cluster.cache.peek(kind, key),
          clock,
          random,
          logger,
        });
        // The operator matters more than its page.
        await using page = await started.catch((thrown: unknown) => {
          logger.error('the console is not served: it could not be started', { error: toError(thrown) });
          return undefined;
        });
        ready();
        if (page === undefined) return;
        try {
          onReady(page.url);
        } catch (thrown) {
          logger.error('onReady of the console failed', { error: toError(thrown) });
        }
        await new Promise<void>((resolve) => void onAbort(signal, resolve));
      },
    }),
  };
}

function printUrl(url: string): void {
  process.stderr.write(`console: ${url}\n`);
}
