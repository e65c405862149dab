import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDashboardFiles } from "@parley/cli";
import { Schedules } from "@parley/core";
import { parser } from "@prometheus-io/lezer-promql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { eventually } from "../harness/eventually.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const COMMITTED = join(import.meta.dirname, "..", "..", "plugins", "telemetry", "dashboards");
const root = mkdtempSync(join(tmpdir(), "parley-dashboards-"));
let described: Awaited<ReturnType<typeof createDashboardFiles>>;
let panels: readonly Panel[];
let rules: readonly Rule[];

beforeAll(async () => {
  writeFileSync(join(root, "config.ini"), "");
  described = await createDashboardFiles({ root, env: {} });
  panels = JSON.parse(described.files["parley-dashboard.json"] ?? "").panels;
  rules = parse(described.files["parley-alerts.yaml"] ?? "").groups.flatMap((group: { rules: Rule[] }) => group.rules);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const listMetrics = () => described.groups.flatMap((group) => group.metrics);
/** Returns an expression as Prometheus gets it, with Grafana's variables replaced. */
const fillVariables = (expr: string) => expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", "a|b");

/** Returns the metrics named by a PromQL expression, a histogram by its base name; throws for an invalid expression. */
function findMetricNames(expr: string): readonly string[] {
  const text = fillVariables(expr);
  const names: string[] = [];
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`at ${from} of ${text}`);
      if (type.name === "Identifier") names.push(text.slice(from, to).replace(/_bucket$/, ""));
    },
  });
  return names;
}

test.each(["parley-dashboard.json", "parley-alerts.yaml"])(
  "%s equals the output of `parley dashboards plugins/telemetry/dashboards`",
  (name) => {
    expect(described.files[name]).toBe(readFileSync(join(COMMITTED, name), "utf8"));
  },
);

describe("the dashboard", () => {
  test("has one panel for each declared metric, with a query for its type", () => {
    expect(listMetrics().length).toBeGreaterThan(30);
    for (const { name, kind, scope, labels = [] } of listMetrics()) {
      const mine = panels.filter(({ targets = [] }) =>
        targets.some(({ expr }) => findMetricNames(expr).includes(name)),
      );
      expect(
        mine.map(({ type }) => type),
        name,
      ).toEqual(["timeseries"]);
      const targets = mine[0]?.targets ?? [];
      expect(targets, name).toHaveLength(kind === "histogram" ? 3 : 1);
      for (const { expr, legendFormat } of targets) {
        // Every node reports an installation value alike, so it must not be split by instance.
        expect(expr.startsWith("max without (instance, pod) ("), name).toBe(scope === "installation");
        expect(legendFormat?.includes("{{instance}}"), name).toBe(scope !== "installation");
        expect(expr.split("(")[0] === "rate", name).toBe(kind === "counter");
        expect(expr.startsWith("histogram_quantile("), name).toBe(kind === "histogram");
        for (const label of labels) expect(legendFormat, name).toContain(`{{${label}}}`);
      }
    }
  });

  test("has a row for each plugin with metrics, and no overlapping panels", () => {
    const rows = panels.filter(({ type }) => type === "row").map(({ title }) => title);
    expect(rows).toEqual(described.groups.map(({ plugin }) => plugin));
    const taken = new Set<string>();
    for (const { title, gridPos } of panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x} ${y}`), title).toBe(false);
          taken.add(`${x} ${y}`);
        }
      }
    }
  });
});

describe("the alert rules", () => {
  test("exist for each declared alert, with existing metrics and labels", () => {
    const declared = listMetrics().flatMap(({ alerts = [] }) => alerts);
    expect(rules.map(({ alert }) => alert)).toEqual(declared.map(({ name }) => `Parley${name}`));
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { name, kind, labels = [], alerts = [] } of listMetrics()) {
      for (const alert of alerts) {
        expect(labels, name).toEqual(expect.arrayContaining(Object.keys(alert.labels ?? {})));
        // Growth is only defined for a counter, since a gauge goes up and down.
        expect(alert.growthMinutes === undefined || kind === "counter", name).toBe(true);
        expect(alert.quantile !== undefined, name).toBe(kind === "histogram");
      }
    }
  });

  test("fire once for metrics of the whole installation, as in the dashboard", () => {
    const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr;
    expect(exprOf("ParleyJobsDead")).toBe("max without (instance, pod) (parley_jobs_dead) > 0");
    expect(exprOf("ParleyMessagesWait")).toBe("parley_inbox_oldest_seconds > 300");
    const [firing] = panels.filter(({ type }) => type === "table");
    expect(firing?.targets?.[0]?.expr).toContain('instance=~"$instance|"');
  });

  test("are valid for Prometheus, and describe problem and solution", () => {
    const known = new Set(listMetrics().map(({ name }) => name));
    for (const { alert, expr, for: time, labels, annotations } of rules) {
      const names = findMetricNames(expr);
      expect(names.length, alert).toBeGreaterThan(0);
      expect(
        names.filter((name) => !known.has(name)),
        alert,
      ).toEqual([]);
      expect(time).toMatch(/^\d+m$/);
      expect(["warning", "critical"]).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
      expect(annotations.description).toMatch(/\.$/);
    }
  });

  test("cover the important failures", () => {
    expect(rules.map(({ alert }) => alert)).toEqual(
      expect.arrayContaining([
        "ParleyMessagesWait",
        "ParleyMessagesGivenUp",
        "ParleyDeliveriesUnknown",
        "ParleyJobsDead",
        "ParleyJobsOverdue",
        "ParleyModelCallsFail",
        "ParleyDiskNearlyFull",
        "ParleyWritesFail",
        "ParleyServiceStandsStill",
        "ParleyBackupOld",
      ]),
    );
  });
});

describe("a running service", () => {
  let parley: Parley;
  let lines: readonly string[];
  beforeAll(async () => {
    parley = await startParley();
    const api = await parley.signIn();
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "measured" });
    await api.post(`/api/sessions/${id}/chat`, { content: "hello" });
    await api.post("/api/schedules/operations.backup/run", {});
    await eventually(async () => {
      const { last_job } = await parley.host.get(Schedules).get("operations.backup");
      expect(last_job).toMatchObject({ status: "done" });
    });
    lines = (await api.send("GET", "/metrics")).text.split("\n");
  });
  afterAll(() => parley[Symbol.asyncDispose]());

  test("exposes every declared metric, with its type, and no other", () => {
    const types = lines.flatMap((line) => /^# TYPE (\S+) (\S+)$/.exec(line)?.slice(1, 3).join(" ") ?? []);
    expect(types.toSorted()).toEqual(
      listMetrics()
        .map(({ name, kind }) => `${name} ${kind}`)
        .toSorted(),
    );
  });

  test("has a value for each, with the declared labels", () => {
    // Nothing was sent to a platform, and nothing was dropped.
    const silent = new Set(["parley_deliveries", "parley_dropped_total"]);
    for (const { name, kind, labels = [] } of listMetrics()) {
      const part = kind === "histogram" ? "_count" : "";
      const samples = lines.filter((line) => new RegExp(`^${name}${part}(\\{| )`).test(line));
      if (!silent.has(name)) expect(samples.length, name).toBeGreaterThan(0);
      for (const sample of samples) {
        expect([...sample.matchAll(/(\w+)="/g)].map(([, label]) => label).toSorted(), sample).toEqual(
          labels.toSorted(),
        );
        expect(Number(sample.split(" ").at(-1)), sample).not.toBeNaN();
      }
    }
  });

  test("counts durations in increasing buckets, the last of which contains all", () => {
    const histograms = listMetrics().filter(({ kind }) => kind === "histogram");
    expect(histograms.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["parley_ack_seconds", "parley_turn_seconds", "parley_model_seconds"]),
    );
    for (const { name } of histograms) {
      const valuesOf = (part: string) =>
        lines.filter((line) => line.startsWith(`${name}_${part}`)).map((line) => Number(line.split(" ").at(-1)));
      const bounds = lines.flatMap((line) => new RegExp(`^${name}_bucket.*le="([^"]+)"`).exec(line)?.[1] ?? []);
      expect(bounds.at(-1)).toBe("+Inf");
      expect(bounds.slice(0, -1).map(Number)).toEqual(
        bounds
          .slice(0, -1)
          .map(Number)
          .toSorted((a, b) => a - b),
      );
      const counts = valuesOf("bucket");
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(counts.at(-1)).toBe(valuesOf("count")[0]);
      if (name !== "parley_ack_seconds") expect(valuesOf("count")[0], name).toBeGreaterThan(0);
      expect(valuesOf("sum")[0]).toBeGreaterThanOrEqual(0);
    }
  });
});
