import type { Metric } from "@parley/core";
import { aggregateByScope, toQuantileExpression } from "./alert-rules.ts";
import type { DeclaredMetrics } from "./declared-metrics.ts";

const COLUMNS = 3;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 7;
const SOURCE = { type: "prometheus", uid: "$datasource" };
const QUANTILES = [0.5, 0.9, 0.99] as const;
const REF_IDS = ["A", "B", "C"] as const;
const INSTANCE = 'instance=~"$instance"';
/** Label filter that also matches installation-wide series, which have no instance. */
const INSTANCE_OR_ALL = 'instance=~"$instance|"';

/** Creates a Grafana dashboard with a row for each plugin and a panel for each metric. */
export function createDashboard(groups: readonly DeclaredMetrics[]): object {
  let y = 0;
  let id = 0;
  const at = (panel: object, x: number, w: number, h: number) => {
    id += 1;
    return { id, gridPos: { x, y, w, h }, ...panel };
  };
  const firing = at(createFiringPanel(), 0, 24, HEIGHT);
  y += HEIGHT;
  const rows = groups.flatMap(({ plugin, metrics }) => {
    const row = at({ type: "row", title: plugin, collapsed: false, panels: [] }, 0, 24, 1);
    y += 1;
    const panels = metrics.map((metric, index) => {
      const panel = at(createPanel(metric), (index % COLUMNS) * WIDTH, WIDTH, HEIGHT);
      if (index % COLUMNS === COLUMNS - 1 || index === metrics.length - 1) y += HEIGHT;
      return panel;
    });
    return [row, ...panels];
  });
  return {
    uid: "parley",
    title: "Parley",
    tags: ["parley"],
    schemaVersion: 39,
    timezone: "browser",
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: { list: [createSourceVariable(), createInstanceVariable()] },
    panels: [firing, ...rows],
  };
}

/** Creates the queries of a panel: the rate of a counter, the quantiles of a histogram. */
function createTargets(metric: Metric): readonly object[] {
  const { name, kind, labels = [] } = metric;
  const whose = metric.scope === "installation" ? "job" : "instance";
  const shown = [...labels, whose].map((label) => `{{${label}}}`).join(" ");
  const rate = (series: string) => `rate(${series}{${INSTANCE}}[$__rate_interval])`;
  const target = (expr: string, index: number, before = "") => ({
    refId: REF_IDS[index],
    datasource: SOURCE,
    expr,
    legendFormat: before + shown,
  });
  if (kind === "histogram") {
    return QUANTILES.map((share, index) =>
      target(toQuantileExpression(share, labels, rate(`${name}_bucket`)), index, `${share * 100} % `),
    );
  }
  return [target(aggregateByScope(metric, kind === "counter" ? rate(name) : `${name}{${INSTANCE}}`), 0)];
}

function createPanel(metric: Metric): object {
  const { name, help } = metric;
  return {
    type: "timeseries",
    title: toTitle(metric),
    description: `${help} (${name})`,
    datasource: SOURCE,
    fieldConfig: { defaults: { unit: toUnit(metric), min: 0 }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
    targets: createTargets(metric),
  };
}

/** Returns the metric's name in words, without the unit, which the axis shows. */
function toTitle({ name, kind }: Metric): string {
  const words = name.replace(/^(parley|process|nodejs|storage)_/, "").replace(/_total$/, "");
  const plain = words.replace(/_(seconds|bytes)$/, "").replaceAll("_", " ");
  const title = plain.charAt(0).toUpperCase() + plain.slice(1);
  return kind === "counter" ? `${title}, a second` : title;
}

function toUnit({ name, kind }: Metric): string {
  // Seconds per second are a share of the time.
  if (/_seconds(_total)?$/.test(name)) return kind === "counter" ? "percentunit" : "s";
  if (/_bytes(_total)?$/.test(name)) return kind === "counter" ? "Bps" : "bytes";
  return kind === "counter" ? "cps" : "short";
}

function createFiringPanel(): object {
  return {
    type: "table",
    title: "What is wrong now",
    description: "Rules of parley-alerts.yaml that fire.",
    datasource: SOURCE,
    targets: [
      {
        refId: "A",
        datasource: SOURCE,
        expr: `ALERTS{alertname=~"Parley.*",alertstate="firing",${INSTANCE_OR_ALL}}`,
        format: "table",
        instant: true,
      },
    ],
  };
}

function createSourceVariable(): object {
  return { name: "datasource", label: "Data source", type: "datasource", query: "prometheus" };
}

function createInstanceVariable(): object {
  return {
    name: "instance",
    label: "Instance",
    type: "query",
    datasource: SOURCE,
    query: { query: "label_values(parley_probes_failed, instance)", refId: "A" },
    refresh: 2,
    includeAll: true,
    multi: true,
    current: { text: "All", value: "$__all" },
  };
}
