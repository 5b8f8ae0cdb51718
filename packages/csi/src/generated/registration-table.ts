// Generated from k8s.io/kubelet v0.36.3 by `npm run generate`. Do not edit.
import type { ProtocolTable } from '@windlass/grpc';

export const table = {
  package: 'pluginregistration',
  messages: {
    InfoRequest: '',
    PluginInfo: '1 type s|2 name s|3 endpoint s|4 supportedVersions [s',
    RegistrationStatus: '1 pluginRegistered b|2 error s',
    RegistrationStatusResponse: '',
  },
  enums: {
  },
  services: {
    Registration: {
      getInfo: 'GetInfo InfoRequest PluginInfo',
      notifyRegistrationStatus: 'NotifyRegistrationStatus RegistrationStatus RegistrationStatusResponse',
    },
  },
} as const satisfies ProtocolTable;
