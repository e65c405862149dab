import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { gateway } from "../../shared/api/gateway.ts";
import { getServiceTime } from "../../shared/api/service-clock.ts";
import factsCss from "../../shared/styles/facts.module.css";
import textCss from "../../shared/styles/text.module.css";
import { system } from "./api.ts";
import { useTexts } from "./texts.ts";

const POLL_MS = 10_000;
const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;

/** Fetches the number of errors in the log and in the message history of the last 24 hours. */
async function fetchDailyErrors() {
  const since = new Date(getServiceTime() - DAY_MS).toISOString();
  const [logs, events] = await Promise.all([
    system.listLogs({ min_level: "error", since, limit: 1 }),
    gateway.listEvents({ level: "error", since, limit: 1 }),
  ]);
  return { logged: logs.total, onMessages: events.total };
}

/** Free resources of the machine, and recent error counts. */
export function Machine() {
  const { t, language } = useTexts();
  const machine = useQuery({ queryKey: ["machine"], queryFn: system.getMachine, refetchInterval: POLL_MS });
  const errors = useQuery({
    queryKey: ["logs", "errors of a day"],
    queryFn: fetchDailyErrors,
    refetchInterval: 6 * POLL_MS,
  });
  if (!machine.data) return null;
  const { cores, load, process_cpu, memory, disk } = machine.data;
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  const toSize = (size: number) => {
    const [value, unit] = size < GIB ? [size / 1024 ** 2, "megabyte"] : [size / GIB, "gigabyte"];
    return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(
      value,
    );
  };
  const facts = [
    [t("processor"), percent.format(load), t("ofCores", { count: cores })],
    [t("serviceProcessor"), percent.format(process_cpu), t("ofOneCore")],
    [t("memory"), toSize(memory.process), t("freeOf", { free: toSize(memory.free), total: toSize(memory.total) })],
    [t("disk"), disk ? toSize(disk.free) : "–", disk ? t("freeOfDisk", { total: toSize(disk.total) }) : ""],
    [
      t("errorsOfDay"),
      errors.data ? (errors.data.logged + errors.data.onMessages).toLocaleString(language) : "–",
      errors.data ? t("errorsWhere", { logged: errors.data.logged, messages: errors.data.onMessages }) : "",
    ],
  ] as const;
  return (
    <section aria-labelledby="machine">
      <Title order={2} size="h4" mt="xl" mb="xs" id="machine">
        {t("machine")}
      </Title>
      <div className={factsCss.facts} data-testid="machine">
        {facts.map(([label, value, more]) => (
          <div className={factsCss.fact} key={label}>
            <span className={textCss.meta}>{label}</span>
            <b>{value}</b>
            <span className={textCss.meta}>{more}</span>
          </div>
        ))}
      </div>
    </section>
  );
}
