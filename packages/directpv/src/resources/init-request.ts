import type { ClusterKind, ClusterObjectMeta, ResourceType } from '@windlass/apimachinery';
import { GROUP, VERSION } from './constants.ts';

/** All statuses of init requests. */
export const INIT_STATUSES = ['Pending', 'Processed', 'Error'] as const;
/** How far an init request has come. */
export type InitStatus = (typeof INIT_STATUSES)[number];

/** A device that is to become a drive. */
export interface InitDevice {
  /** The device's id as `DirectPVNode` has it: a device that changed since is refused. */
  id: string;
  name: string;
  /** Also over a file system that is there. */
  force: boolean;
}

/** What became of a device of an init request. */
export interface InitDeviceResult {
  name: string;
  /** Absent when the device was initialised. */
  error?: string;
}

/** The devices of one node that are to become drives. */
export interface DirectPVInitRequestSpec {
  devices?: InitDevice[] | null;
}

/** What became of the devices. */
export interface DirectPVInitRequestStatus {
  status: InitStatus;
  results?: InitDeviceResult[] | null;
}

/** Asks one node to format devices. Cluster-scoped; its name is a random UUID. */
export interface DirectPVInitRequest extends ClusterKind {
  apiVersion?: 'directpv.min.io/v1beta1';
  kind?: 'DirectPVInitRequest';
  metadata?: ClusterObjectMeta;
  spec?: DirectPVInitRequestSpec;
  status: DirectPVInitRequestStatus;
}
export const DirectPVInitRequest: ResourceType<DirectPVInitRequest> = {
  group: GROUP,
  version: VERSION,
  kind: 'DirectPVInitRequest',
  plural: 'directpvinitrequests',
  namespaced: false,
};
