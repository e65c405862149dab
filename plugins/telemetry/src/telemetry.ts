import type { Telemetry, TimedSpan } from "@parley/core";

const MAX_BUFFERED_SPANS = 2_000;

/** Where finished spans go. */
export interface SpanSink extends AsyncDisposable {
  add(span: TimedSpan): void;
}

export interface OwnTelemetry extends Telemetry {
  /** Exports what was told so far and from now on. */
  open(exporter: SpanSink): void;
}

/** What is told before the export is open waits for it, up to a limit. */
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
