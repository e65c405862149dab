import type { PluginStatus } from "@parley/core";
import { Icon, type IconName, isIconName } from "../../shared/ui/element/icon.tsx";

const SIZE_PX = 20;
/** Icons for plugins without one, by the extension point they contribute to; the first match counts. */
const POINT_ICONS: readonly (readonly [added: RegExp, icon: IconName])[] = [
  [/^channel-adapters /, "channel"],
  [/^(collections|databases|blob-store|blob-rows|record-store)\b/, "archive"],
  [/^model-protocols /, "model"],
  [/^(tools|tool-tables|tool-sources) /, "tool"],
  [/^probes /, "chart"],
];

/** The plugin's own image, the named icon, or one for its kind. As an `<img>`, a third-party image runs no scripts. */
export function PluginIcon({ plugin: { icon, adds } }: { readonly plugin: PluginStatus }) {
  if (icon?.startsWith("/")) return <img src={icon} alt="" width={SIZE_PX} height={SIZE_PX} style={{ flex: "none" }} />;
  const kind = POINT_ICONS.find(([added]) => adds.some((one) => added.test(one)))?.[1] ?? "plug";
  return <Icon name={icon && isIconName(icon) ? icon : kind} size={SIZE_PX} />;
}
