// What most programs begin with. Everything else has a subpath, which costs less to import.
export { isAlreadyExists, isConflict, isNotFound, StatusError } from '@windlass/apimachinery';
export { applyManifests, createClient, loadConfig, retryOnConflict } from '@windlass/client';
export { customResourceDefinition, defineResource, fields, type ObjectOfKind } from '@windlass/codegen';
export { SharedInformerFactory } from '@windlass/informer';
export { createOrUpdate, loadManagerConfig, Manager, TerminalError, withFinalizer } from '@windlass/runtime';
export { WorkQueue } from '@windlass/workqueue';
