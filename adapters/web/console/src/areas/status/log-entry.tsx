import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { toJsonObject } from "../../shared/json-object.ts";
import textCss from "../../shared/styles/text.module.css";
import { toAddress } from "../../shared/ui/page/address.ts";
import { type LogLine, system } from "./api.ts";
import logCss from "./log.module.css";
import { type TextKey, useTexts } from "./texts.ts";

/** Titles of common log fields; other fields are shown by their key. */
const FIELD_TEXTS: Readonly<Record<string, TextKey>> = {
  message: "fieldMessage",
  time: "logTime",
  trace_id: "fieldTrace",
  traceId: "fieldTrace",
  error: "fieldError",
  code: "fieldCode",
  reason: "fieldReason",
  channel: "channel",
  session: "conversation",
  session_id: "conversation",
  plugin: "fieldPlugin",
  username: "userName",
  address: "fieldAddress",
  model: "fieldModel",
  server: "fieldServer",
  tool: "fieldTool",
  file: "fieldFile",
  rule: "fieldRule",
  by: "fieldBy",
};
const COLORS: Readonly<Record<string, string>> = { error: "red", warning: "yellow" };

/** A log line; expanded, it shows its fields and links to related pages. */
export function LogEntry({ row }: { readonly row: LogLine }) {
  const { t, language } = useTexts();
  const time = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" });
  return (
    <li data-testid="log-row" data-level={row.level}>
      <details className={logCss.logLine}>
        <summary>
          <time className={textCss.meta} dateTime={row.time}>
            {time.format(new Date(row.time))}
          </time>
          <Text span fz="xs" c={COLORS[row.level] ?? "dimmed"}>
            {t(row.level)}
          </Text>
          <span className={textCss.meta}>{row.source}</span>
          <span className={logCss.logMessage}>{row.message}</span>
        </summary>
        <LogDetails row={row} />
      </details>
    </li>
  );
}

/** Prefix of the keys of log messages; the English text follows it. */
const LOG_KEY = "log.";

function LogDetails({ row: { time, trace_id, source, message, message_detail, context } }: { readonly row: LogLine }) {
  const english = message_detail?.key.slice(LOG_KEY.length);
  const { t } = useTexts();
  const fields = Object.entries(toJsonObject(context));
  const findText = (...keys: readonly string[]) => {
    const field = fields.find(([key, value]) => keys.includes(key) && typeof value === "string" && value !== "");
    return field && String(field[1]);
  };
  const status = useQuery({ queryKey: ["status"], queryFn: system.getStatus });
  const isPlugin = status.data?.packages.some(({ name }) => name === source) ?? false;
  const session = findText("session", "session_id", "sessionId");
  const channel = findText("channel", "channel_id", "channelId");
  return (
    <div className={logCss.logKnown}>
      <p>
        {trace_id !== null && (
          <Link {...toAddress("/gateway", { trace: trace_id })} className={textCss.inlineLink} data-testid="log-trace">
            {t("toMessage")}
          </Link>
        )}
        {isPlugin && (
          <Link {...toAddress("/plugins", { plugin: source })} className={textCss.inlineLink} data-testid="log-plugin">
            {t("toPlugin")}
          </Link>
        )}
        {session && (
          <Link to="/sessions/$sessionId" params={{ sessionId: session }} className={textCss.inlineLink}>
            {t("openConversation")}
          </Link>
        )}
        {channel && (
          <Link to="/channels" className={textCss.inlineLink}>
            {`${t("channel")} ${channel}`}
          </Link>
        )}
      </p>
      <dl className={textCss.pairs}>
        {[
          ...(english === undefined || english === message ? [] : [["message", english] as const]),
          ["time", time] as const,
          ...(trace_id === null ? [] : [["trace_id", trace_id] as const]),
          ...fields,
        ].map(([key, value]) => (
          <div key={key}>
            <dt>{FIELD_TEXTS[key] ? t(FIELD_TEXTS[key]) : key}</dt>
            <dd className={logCss.logValue}>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
