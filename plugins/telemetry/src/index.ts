import { AppError, ConfigSections, definePlugin, HostControl, serviceKey, Telemetry } from "@parley/core";
import { createTelemetry, type OwnTelemetry } from "./telemetry.ts";
import "./texts.ts";

const DEFAULT_SERVICE_NAME = "parley";

const Own = serviceKey<OwnTelemetry>("telemetry.own");

/** Sends traces of every message to an OpenTelemetry collector, if `[telemetry] otlp_url` is set. */
export default definePlugin({
  id: "telemetry",
  register({ provide }) {
    provide(Own, (from) => createTelemetry(Boolean(from.get(ConfigSections).section("telemetry").otlp_url)));
    provide(Telemetry, (from) => from.get(Own));
  },
  async start({ get, log, defer }) {
    const own = get(Own);
    if (!own.isOn) return;
    const { otlp_url: url = "", service_name: serviceName = DEFAULT_SERVICE_NAME } =
      get(ConfigSections).section("telemetry");
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
      throw new AppError("bad_request", `[telemetry] otlp_url: '${url}' is no http address`);
    }
    // Loading these modules takes half a second, so they are loaded only when telemetry is on.
    const { openOtlpExport } = await import("./otlp-export.ts");
    const exporter = openOtlpExport({ url, serviceName, version: get(HostControl).version, log });
    defer(async () => exporter[Symbol.asyncDispose]());
    own.open(exporter);
  },
});
