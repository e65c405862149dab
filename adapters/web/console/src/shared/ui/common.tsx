import { Alert, Button, Center, Loader } from "@mantine/core";
import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../api/client.ts";
import { getServiceTime } from "../api/service-clock.ts";
import { type SharedKey, useTexts } from "../i18n/i18n.ts";
import { refetch } from "../live/refetch.ts";
import commonCss from "./common.module.css";
import { toSentenceCase } from "./text/to-sentence-case.ts";

/** Renders the data of a query, or its loading or error state. */
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => React.ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  return query.isError ? <LoadError query={query} /> : <LoadingIndicator />;
}

/** The error of a query, with a retry button. */
export function LoadError({ query }: { readonly query: { readonly error: unknown; readonly refetch: () => unknown } }) {
  const { t } = useTexts();
  return (
    <Failure error={query.error}>
      <Button size="xs" variant="light" onClick={() => void query.refetch()}>
        {t("retry")}
      </Button>
    </Failure>
  );
}

/** A loading indicator, delayed so that quick responses do not flicker. */
export function LoadingIndicator() {
  const { t } = useTexts();
  return (
    <Center p="xl" className={commonCss.delayed}>
      <Loader size="sm" role="status" aria-label={t("loading")} />
    </Center>
  );
}

export function Failure({ error, children }: { readonly error: unknown; readonly children?: React.ReactNode }) {
  const { t } = useTexts();
  if (!error) return null;
  return (
    <Alert color="red" my="sm" role="alert">
      <div className={commonCss.failure}>
        <span>{toSentenceCase(formatError(error, t))}</span>
        {children}
      </div>
    </Alert>
  );
}

/** Formats an error: the service's message is in the reader's language. */
export function formatError(error: unknown, t: (key: SharedKey) => string): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) return message;
  if (error.status === 0) return t("unreachable");
  if (error.code === "unexplained") return `${t("unexplained")} ${error.status}`;
  // A page requests routes of its own plugin, so an unknown route means that the plugin is off.
  if (error.key === "no_such_row") return t("pluginOff");
  return message;
}

interface Action {
  /** Wraps an action as an event handler: after success the affected queries are refetched; a failure is stored in `error`, or thrown. */
  toHandler(work: () => Promise<unknown>, options?: { readonly throws: boolean }): () => Promise<void>;
  readonly isBusy: boolean;
  readonly error: unknown;
}

/** Runs the actions of buttons and refetches the named queries afterwards. */
export function useAction(queryKeys: readonly (readonly string[])[]): Action {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  return {
    isBusy,
    error,
    toHandler:
      (work, { throws } = { throws: false }) =>
      async () => {
        setBusy(true);
        setError(undefined);
        try {
          await work();
          await Promise.all(queryKeys.map((queryKey) => refetch(queries, queryKey)));
        } catch (thrown) {
          if (throws) throw thrown;
          setError(thrown);
        } finally {
          setBusy(false);
        }
      },
  };
}

/** Formats a time of today as the time of day, any other as a date. */
export function formatShortTime(iso: string | null | undefined, language: string): string {
  if (!iso) return "";
  const at = new Date(iso);
  const now = new Date(getServiceTime());
  if (at.toDateString() === now.toDateString()) return getFormatter(language, "time").format(at);
  return getFormatter(language, at.getFullYear() === now.getFullYear() ? "day" : "date").format(at);
}

/** Formats the time alone, where the day is shown above. */
export function formatClock(iso: string, language: string): string {
  return getFormatter(language, "time").format(new Date(iso));
}

/** Formats the day in words. */
export function formatDay(iso: string, language: string): string {
  return getFormatter(language, "long").format(new Date(iso));
}

export function formatTime(iso: string | null | undefined, language: string): string {
  return iso ? getFormatter(language, "full").format(new Date(iso)) : "";
}

const FORMATS = {
  time: { timeStyle: "short" },
  day: { month: "short", day: "numeric" },
  date: { dateStyle: "short" },
  full: { dateStyle: "short", timeStyle: "short" },
  long: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

// Creating a formatter takes a hundred times as long as using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(language: string, format: keyof typeof FORMATS): Intl.DateTimeFormat {
  const key = `${language} ${format}`;
  const cached = formatters.get(key) ?? new Intl.DateTimeFormat(language, FORMATS[format]);
  formatters.set(key, cached);
  return cached;
}
