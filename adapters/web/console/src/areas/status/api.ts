import { api, type Listed, query } from "../../shared/api/client.ts";

export interface SystemStatus {
  readonly phase: "starting" | "ready" | "degraded" | "failed";
  readonly error: string | null;
  readonly version: string;
  readonly uptime_s: number;
  readonly components: readonly {
    readonly name: string;
    readonly state: "ok" | "degraded" | "down";
    readonly error: string | null;
  }[];
}

export interface Statistics {
  readonly today_messages: number;
  readonly total_messages: number;
  readonly active_sessions: number;
}

export type Period = "day" | "week" | "month";
/** Messages over time: one value for each label, the current one last. */
export interface MessageSeries {
  readonly labels: readonly string[];
  readonly user_values: readonly number[];
  readonly assistant_values: readonly number[];
}

export interface UsageSum {
  readonly total_tokens: number;
  readonly requests: number;
  readonly cost: number | null;
}
export interface Usage {
  readonly today: UsageSum;
  readonly month: UsageSum;
}

export interface LogLine {
  readonly id: string;
  readonly time: string;
  readonly level: string;
  readonly source: string;
  readonly message: string;
}

interface ReloadAnswer {
  readonly failed?: readonly { readonly name: string; readonly error: string }[];
  readonly restart_required?: readonly string[];
}

export const system = {
  status: () => api.get<SystemStatus>("/api/startup-status"),
  statistics: () => api.get<Statistics>("/api/stats"),
  messages: (period: Period) => api.get<MessageSeries>(`/api/stats/messages?${query({ period })}`),
  usage: () => api.get<Usage>("/api/tokens?date_range=30d"),
  logs: (asked: { readonly min_level: string; readonly q: string; readonly limit: number }) =>
    api.get<Listed<LogLine>>(`/api/logs?${query(asked)}`),
  reload: (what: "reload-config" | "reload-core") => api.post<ReloadAnswer>(`/api/system/${what}`),
};
