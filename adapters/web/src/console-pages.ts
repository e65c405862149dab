/** The folders of `console/src/areas`: what an area may name as a page of the console. */
export const CONSOLE_PAGES: readonly string[] = [
  "access",
  "channels",
  "characters",
  "conversations",
  "filter",
  "gateway",
  "jobs",
  "knowledge",
  "mcp",
  "models",
  "plugins",
  "settings",
  "status",
  "world-books",
];
