export {
  BLOCK,
  encodeTarHeader,
  padded,
  paddingOf,
  type TarEntry,
  type TarEntryType,
  TarError,
} from './tar-header.ts';
export { type TarMember, tarMembers } from './tar-members.ts';
