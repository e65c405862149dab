import type { Telemetry, TimedSpan } from "@parley/core";

const MAX_BUFFERED_SPANS = 2_000;

/** Destination of finished spans. */
export interface SpanSink extends AsyncDisposable {
  add(span: TimedSpan): void;
}

export interface OwnTelemetry extends Telemetry {
  /** Begins to export spans, including those buffered so far. */
  open(exporter: SpanSink): void;
}

/** Creates the telemetry. Spans before `open` are buffered, up to a limit. */
export function createTelemetry(isEnabled: boolean): OwnTelemetry {
  const bufferedSpans: TimedSpan[] = [];
  let sink: SpanSink | undefined;
  return {
    isOn: isEnabled,
    add(span) {
      if (sink) sink.add(span);
      else if (isEnabled && bufferedSpans.length < MAX_BUFFERED_SPANS) bufferedSpans.push(span);
    },
    open(exporter) {
      sink = exporter;
      for (const span of bufferedSpans.splice(0)) exporter.add(span);
    },
  };
}
