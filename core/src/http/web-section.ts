import type { ConfigSections } from "../services/host.ts";
import type { Settings } from "../services/settings.ts";

/** The `[web]` section of config.ini in force when it is read: what the settings page says counts over the file. */
export function webSection(sections: ConfigSections, settings: Settings | undefined): Readonly<Record<string, string>> {
  const section = sections.section("web");
  if (!settings) return section;
  return {
    ...section,
    public_base_url: settings.get<string>("web.public_base_url"),
    trusted_proxies: settings.get<readonly string[]>("web.trusted_proxies").join(","),
    cors_origins: settings.get<readonly string[]>("web.cors_origins").join(","),
  };
}
