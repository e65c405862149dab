export type { Flags } from "./config/configuration.ts";
export { type Host, startHost } from "./host.ts";
export type { HostOptions } from "./host-options.ts";
export { StartError } from "./start-error.ts";
