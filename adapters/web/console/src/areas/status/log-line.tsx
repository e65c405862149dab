import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type LogLine, system } from "./api.ts";
import { useTexts } from "./texts.ts";

const COLORS: Readonly<Record<string, string>> = { error: "red", warning: "yellow" };

/** A line of the log: opened, it says what it knows besides, and leads to what it is about. */
export function LogEntry({ row }: { readonly row: LogLine }) {
  const { t, language } = useTexts();
  const time = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" });
  return (
    <li data-testid="log-row" data-level={row.level}>
      <details className="log-line">
        <summary>
          <time className="meta" dateTime={row.time}>
            {time.format(new Date(row.time))}
          </time>
          <Text span fz="xs" c={COLORS[row.level] ?? "dimmed"}>
            {t(row.level)}
          </Text>
          <span className="meta">{row.source}</span>
          <span className="log-message">{row.message}</span>
        </summary>
        <Known row={row} />
      </details>
    </li>
  );
}

function Known({ row: { time, trace_id, source, context } }: { readonly row: LogLine }) {
  const { t } = useTexts();
  const fields = Object.entries(context as Readonly<Record<string, unknown>>);
  const named = (...keys: readonly string[]) => {
    const found = fields.find(([key, value]) => keys.includes(key) && typeof value === "string" && value !== "");
    return found && String(found[1]);
  };
  const status = useQuery({ queryKey: ["status"], queryFn: system.status });
  const isPlugin = status.data?.packages.some(({ name }) => name === source) ?? false;
  const session = named("session", "session_id", "sessionId");
  const channel = named("channel", "channel_id", "channelId");
  return (
    <div className="log-known">
      <p>
        {trace_id !== null && (
          <Link to="/gateway" search={{ trace: trace_id } as never} className="inline-link" data-testid="log-trace">
            {t("itsTrace")}
          </Link>
        )}
        {isPlugin && (
          <Link to="/plugins" search={{ plugin: source } as never} className="inline-link" data-testid="log-plugin">
            {t("toPlugin")}
          </Link>
        )}
        {session && (
          <Link to="/sessions/$sessionId" params={{ sessionId: session }} className="inline-link">
            {t("openConversation")}
          </Link>
        )}
        {channel && (
          <Link to="/channels" className="inline-link">
            {`${t("channel")} ${channel}`}
          </Link>
        )}
      </p>
      <dl className="pairs">
        {[["time", time] as const, ...(trace_id === null ? [] : [["trace_id", trace_id] as const]), ...fields].map(
          ([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd className="log-value">{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}
