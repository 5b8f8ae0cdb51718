// Generated from k8s.io/kubelet v0.36.3 by `npm run generate`. Do not edit.
// The descriptions, here shortened, are of its authors, Apache License 2.0.

/** InfoRequest is the empty request message from Kubelet */
export type InfoRequest = Readonly<Record<never, never>>;

/** PluginInfo is the message sent from a plugin to the Kubelet pluginwatcher for plugin registration */
export interface PluginInfo {
  /** Type of the Plugin. CSIPlugin or DevicePlugin */
  readonly type: string;
  /**
   * Plugin name that uniquely identifies the plugin for the given plugin type. For DevicePlugin, this is the
   * resource name that the plugin manages and should follow the extended resource name convention. For CSI,
   * this is the CSI driver registrar name.
   */
  readonly name: string;
  /**
   * Optional endpoint location. If found set by Kubelet component, Kubelet component will use this endpoint
   * for specific requests. This allows the plugin to register using one endpoint and possibly use a different
   * socket for control operations. CSI uses this model to delegate its registration external from the plugin.
   */
  readonly endpoint: string;
  /**
   * Plugin service API versions the plugin supports. For DevicePlugin, this maps to the deviceplugin API
   * versions the plugin supports at the given socket. The Kubelet component communicating with the plugin
   * should be able to choose any preferred version from this list, or returns an error if none of the listed
   * versions is supported.
   */
  readonly supportedVersions: readonly string[];
}

/**
 * RegistrationStatus is the message sent from Kubelet pluginwatcher to the plugin for notification on
 * registration status
 */
export interface RegistrationStatus {
  /** True if plugin gets registered successfully at Kubelet */
  readonly pluginRegistered: boolean;
  /** Error message in case plugin fails to register, empty string otherwise */
  readonly error: string;
}

/** RegistrationStatusResponse is sent by plugin to kubelet in response to RegistrationStatus RPC */
export type RegistrationStatusResponse = Readonly<Record<never, never>>;

/** Registration is the service advertised by the Plugins. */
export interface RegistrationMethods {
  getInfo: { request: InfoRequest; response: PluginInfo };
  notifyRegistrationStatus: { request: RegistrationStatus; response: RegistrationStatusResponse };
}
