import { createHash } from "node:crypto";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Logger } from "@parley/core";
import type { SpanSink } from "./telemetry.ts";

const TIMEOUT_MS = 3_000;
const EXPORT_INTERVAL_MS = 1_000;

export interface OtlpOptions {
  /** The collector, or its address for traces. */
  readonly url: string;
  readonly serviceName: string;
  readonly version: string;
  readonly log: Logger;
}

/** Exports spans in batches to an OpenTelemetry collector, by OTLP over HTTP. */
export function openOtlpExport({ url, serviceName, version, log }: OtlpOptions): SpanSink {
  const ids = { traceId: "", spanId: "" };
  const exporter = new OTLPTraceExporter({ url: toTracesUrl(url), timeoutMillis: TIMEOUT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName, "service.version": version }),
    sampler: new AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
    spanProcessors: [
      new BatchSpanProcessor({ exporter: withFailureLogging(exporter, log), scheduledDelayMillis: EXPORT_INTERVAL_MS }),
    ],
  });
  const tracer = provider.getTracer("parley", version);
  return {
    add({ traceId, id, parent, name, startMs, endMs, attributes, error }) {
      ids.traceId = toTraceId(traceId);
      ids.spanId = toSpanId(traceId, id);
      const context = parent === undefined ? ROOT_CONTEXT : toParentContext(traceId, parent);
      const kind = parent === undefined ? SpanKind.SERVER : SpanKind.INTERNAL;
      const spanAttributes = { "parley.trace_id": traceId, ...attributes };
      const span = tracer.startSpan(name, { kind, startTime: startMs, attributes: spanAttributes }, context);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end(endMs);
    },
    async [Symbol.asyncDispose]() {
      // Failed exports were logged when they happened.
      await provider.shutdown().catch(() => {});
    },
  };
}

/** Returns a W3C trace id, equal for the same message in every process. */
export function toTraceId(traceId: string): string {
  return hashToHex(traceId, 32);
}

export function toSpanId(traceId: string, id: string): string {
  return hashToHex(`${traceId}\0${id}`, 16);
}

function hashToHex(seed: string, length: number): string {
  return createHash("sha256").update(seed).digest("hex").slice(0, length);
}

function toParentContext(traceId: string, id: string) {
  const parent = { traceId: toTraceId(traceId), spanId: toSpanId(traceId, id), traceFlags: TraceFlags.SAMPLED };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}

function toTracesUrl(url: string): string {
  const address = new URL(url);
  if (address.pathname === "/") address.pathname = "/v1/traces";
  return address.href;
}

/** Logs once that the export fails, and once that it works again. */
function withFailureLogging(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== 0;
        if (hasFailed && !isFailing) log.warn("traces cannot be exported", { error: result.error });
        if (!hasFailed && isFailing) log.info("traces are exported again");
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
