import { useQuery } from "@tanstack/react-query";
import { parley } from "../../shared/api/client.ts";
import { useTexts } from "./texts.ts";

/** A schedule of a task or a workflow is called after it. */
const SCHEDULE_PREFIX = "automation.";
const HEARTBEAT_SCHEDULE = "automation.heartbeat";

/** Returns the target name of a schedule: a task, a workflow or the heartbeat; undefined for any other. */
export function useScheduleTargets(scheduleIds: readonly string[]): (scheduleId: string) => string | undefined {
  const { t } = useTexts();
  const isAsked = scheduleIds.some((id) => id.startsWith(SCHEDULE_PREFIX));
  const query = { limit: 500 };
  const { data } = useQuery({
    queryKey: ["task", "names"],
    queryFn: async () => {
      const lists = await Promise.all([
        parley.get("/api/task-center", { query }),
        parley.get("/api/workflows", { query }),
      ]);
      return new Map<string, string>(
        lists.flatMap(({ items }) => items.map(({ id, name }) => [`${SCHEDULE_PREFIX}${id}`, name] as const)),
      );
    },
    enabled: isAsked,
    // Who may not look at tasks reads the id.
    retry: false,
  });
  return (id) => (id === HEARTBEAT_SCHEDULE ? t("heartbeat") : data?.get(id));
}
