import { useQuery } from "@tanstack/react-query";
import { parley } from "../../shared/api/client.ts";
import { readAllPages } from "../../shared/api/list-pages.ts";
import { useTexts } from "./texts.ts";

/** Prefix of the schedule ids of tasks and workflows; the id of the target follows. */
const SCHEDULE_PREFIX = "automation.";
const HEARTBEAT_SCHEDULE = "automation.heartbeat";
const getId = ({ id }: { readonly id: string }) => id;

/** Returns a function that gives the name of the task, workflow or heartbeat of a schedule; undefined for other schedules. */
export function useScheduleTargets(scheduleIds: readonly string[]): (scheduleId: string) => string | undefined {
  const { t } = useTexts();
  const hasTargets = scheduleIds.some((id) => id.startsWith(SCHEDULE_PREFIX));
  const { data } = useQuery({
    queryKey: ["task", "names"],
    queryFn: async () => {
      const lists = await Promise.all([
        readAllPages((page) => parley.get("/api/task-center", { query: page }), getId),
        readAllPages((page) => parley.get("/api/workflows", { query: page }), getId),
      ]);
      return new Map<string, string>(lists.flat().map(({ id, name }) => [`${SCHEDULE_PREFIX}${id}`, name]));
    },
    enabled: hasTargets,
    // Without permission to read tasks, their ids are shown.
    retry: false,
  });
  return (id) => (id === HEARTBEAT_SCHEDULE ? t("heartbeat") : data?.get(id));
}
