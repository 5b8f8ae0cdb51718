import { GrpcError } from '@windlass/grpc';
import type { HealthCheck } from '@windlass/runtime';
import { asDriver } from './direct-driver.ts';
import type { CsiDriver, CsiServices } from './services.ts';

/** A check for `manager.addHealthCheck` that the driver answers and says that it is ready: what livenessprobe does. */
export function livenessCheck(driver: CsiDriver | CsiServices, timeoutMs = 5000): HealthCheck {
  const called = asDriver(driver);
  return async (signal) => {
    const { ready } = await called.probe({}, { signal, timeoutMs });
    // A driver that says nothing about it is ready by answering.
    if (ready === false) throw new GrpcError('UNAVAILABLE', 'the driver says that it is not ready');
  };
}
