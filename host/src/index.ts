export type { Flags } from "./configuration.ts";
export {
  checkConfiguration,
  describeConfiguration,
  type Host,
  type HostOptions,
  StartError,
  startHost,
} from "./host.ts";
export { readTurn, replayTurn } from "./replay.ts";
