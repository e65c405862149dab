import type { Settings, Tool, Workspaces } from "@parley/core";
import type { HttpCallDeps } from "../custom/http-call.ts";
import { type ToolsConfig, WEATHER } from "../settings.ts";
import { createDownloadTool } from "./download.ts";
import { createHttpGetTool } from "./http-get.ts";
import { createJsonService } from "./json-service.ts";
import { createSearchTools } from "./search.ts";
import { createWeatherTool } from "./weather.ts";

export interface WebToolsDeps extends HttpCallDeps {
  readonly settings: () => Settings;
  readonly workspaces: () => Workspaces | undefined;
}

/** Creates the tools that call other servers: pages, downloads, weather and searches. */
export function createWebTools(deps: WebToolsDeps, config: ToolsConfig): readonly Tool[] {
  const { egress, settings } = deps;
  // Their addresses are in config.ini, which cannot be changed over the network.
  const service = createJsonService(egress, "private");
  return [
    createHttpGetTool(deps),
    createDownloadTool(deps),
    createWeatherTool({
      service,
      forecastUrl: config.open_meteo_url,
      geocodingUrl: config.geocoding_url,
      isEnabled: () => settings().get(WEATHER) !== "off",
    }),
    ...createSearchTools({ publicService: service, ownService: service, settings, config }),
  ];
}
