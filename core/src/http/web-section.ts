import type { ConfigSections } from "../services/operations/host.ts";
import type { Settings } from "../services/operations/settings.ts";
import { CORS_ORIGINS, PUBLIC_BASE_URL, TRUSTED_PROXIES } from "../shared-settings.ts";

/** Returns the effective `[web]` section of config.ini: values from the settings page override the file. */
export function webSection(sections: ConfigSections, settings: Settings | undefined): Readonly<Record<string, string>> {
  const section = sections.section("web");
  if (!settings) return section;
  return {
    ...section,
    public_base_url: settings.get(PUBLIC_BASE_URL),
    trusted_proxies: settings.get(TRUSTED_PROXIES).join(","),
    cors_origins: settings.get(CORS_ORIGINS).join(","),
  };
}
