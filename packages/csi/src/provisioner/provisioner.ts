import { isBeingDeleted, keyOf } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { CSINode, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { isResync, type Manager, type ObjectEvent } from '@windlass/runtime';
import { exponential } from '@windlass/workqueue';
import { asDriver } from '../protocol/direct-driver.ts';
import { driverFacts } from '../sidecar/driver-facts.ts';
import { annotation, provisionerOf, SELECTED_NODE } from '../sidecar/names.ts';
import { ClaimProvisioning } from './claim-provisioning.ts';
import { hasSource } from './data-source.ts';
import { type ProvisionerOptions, provisionerSettings } from './options.ts';
import { VolumeDeletion } from './volume-deletion.ts';

/** For the few calls around the one to the driver. */
const MARGIN_MS = 60_000;

/**
 * Makes volumes for claims that wait for this driver, and deletes those that are released: what the
 * external-provisioner does, on the manager's caches and under its leadership.
 */
export function addProvisioner(manager: Manager, options: ProvisionerOptions): void {
  const settings = provisionerSettings(options);
  const { name, concurrency, timeoutMs, retryMs, maxRetryMs } = settings;
  const { clock, logger, metrics } = manager;
  const driver = asDriver(settings.driver, { clock, logger, metrics, timeoutMs });
  const facts = driverFacts(driver);
  const claims = new ClaimProvisioning(manager, settings, driver, facts);
  const volumes = new VolumeDeletion(manager, settings, driver, facts);
  const common = { concurrency, timeoutMs: 2 * timeoutMs + MARGIN_MS };
  const rateLimiter = () => exponential<string>({ baseMs: retryMs, maxMs: maxRetryMs });
  manager
    .controller(`${name}-claims`)
    .for(PersistentVolumeClaim, { predicates: [(event) => isNews(event, settings.sourceDecides)] })
    // A volume that is there ends the duty of its claim's finalizer, whoever made it.
    .watches(PersistentVolume, ({ spec }) => {
      const { namespace, name: claim } = spec?.claimRef ?? {};
      return claim === undefined ? [] : [keyOf({ metadata: { namespace: namespace ?? '', name: claim } })];
    })
    // What a claim waits for may have come: its class, or the driver on its node.
    .watches(StorageClass, () => claims.waiting)
    .watches(CSINode, () => claims.waiting)
    .reconcile((key, context) => claims.reconcile(key, context), { ...common, rateLimiter: rateLimiter() });
  manager
    .controller(`${name}-volumes`)
    .for(PersistentVolume)
    .reconcile((key, context) => volumes.reconcile(key, context), { ...common, rateLimiter: rateLimiter() });
}

/** Our own finalizer, and what others write besides, must not make a failed claim's delay shorter. */
function isNews(event: ObjectEvent<PersistentVolumeClaim>, sourceDecides: boolean): boolean {
  const { object } = event;
  if (provisionerOf(object) === undefined && !(sourceDecides && hasSource(object))) return false;
  if (event.type !== 'update' || isResync(event)) return true;
  const { old } = event;
  return (
    old.metadata.uid !== object.metadata.uid ||
    provisionerOf(old) !== provisionerOf(object) ||
    annotation(old, SELECTED_NODE) !== annotation(object, SELECTED_NODE) ||
    old.spec?.volumeName !== object.spec?.volumeName ||
    isBeingDeleted(old) !== isBeingDeleted(object)
  );
}
