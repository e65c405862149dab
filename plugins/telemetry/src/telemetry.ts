import type { Telemetry, TimedSpan } from "@parley/core";

const MAX_WAITING = 2_000;

/** Where finished spans go. */
export interface SpanExport extends AsyncDisposable {
  add(span: TimedSpan): void;
}

export interface OwnTelemetry extends Telemetry {
  /** Exports what was told so far and from now on. */
  open(exporter: SpanExport): void;
}

/** What is told before the export is open waits for it, up to a limit. */
export function createTelemetry(isOn: boolean): OwnTelemetry {
  const waiting: TimedSpan[] = [];
  let open: SpanExport | undefined;
  return {
    isOn,
    add(span) {
      if (open) open.add(span);
      else if (isOn && waiting.length < MAX_WAITING) waiting.push(span);
    },
    open(exporter) {
      open = exporter;
      for (const span of waiting.splice(0)) exporter.add(span);
    },
  };
}
