// Generated from k8s.io/kubelet v0.36.3 by `npm run generate`. Do not edit.

export type InfoRequest = Readonly<Record<never, never>>;

export interface PluginInfo {
  readonly type: string;
  readonly name: string;
  readonly endpoint: string;
  readonly supportedVersions: readonly string[];
}

export interface RegistrationStatus {
  readonly pluginRegistered: boolean;
  readonly error: string;
}

export type RegistrationStatusResponse = Readonly<Record<never, never>>;

export interface RegistrationMethods {
  getInfo: { request: InfoRequest; response: PluginInfo };
  notifyRegistrationStatus: { request: RegistrationStatus; response: RegistrationStatusResponse };
}
