import type { Volume } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { setSourceDefaults } from '../../shared/volume-source-defaults.ts';
import { roundResources } from '../resource-lists.ts';

const FILE_MODE = 0o644;

export function setVolumeDefaults(volume: DraftOf<Volume>): void {
  if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
  for (const files of [volume.secret, volume.configMap, volume.downwardAPI, volume.projected])
    if (files !== undefined) files.defaultMode ??= FILE_MODE;
  setFileDefaults(volume);
  if (volume.hostPath !== undefined) volume.hostPath.type ??= '';
  setSourceDefaults(volume);
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (claim === undefined) return;
  claim.volumeMode ??= 'Filesystem';
  roundResources(claim.resources, 'limits', 'requests');
}

function setFileDefaults({ downwardAPI, projected }: DraftOf<Volume>): void {
  const sources = projected?.sources ?? [];
  for (const { serviceAccountToken: token } of sources)
    if (token !== undefined) token.expirationSeconds ??= 3600;
  for (const files of [downwardAPI, ...sources.map((source) => source.downwardAPI)])
    for (const { fieldRef } of files?.items ?? []) if (fieldRef !== undefined) fieldRef.apiVersion ||= 'v1';
}
