import {
  addDocuments,
  Clock,
  ConsoleAreas,
  Databases,
  definePlugin,
  GROUP_MEMORY,
  JobKinds,
  PictureFields,
  Probes,
  RecordLifecycle,
  RouteTables,
  Schedules,
  Sessions,
  SettingDefinitions,
  Settings,
  StateTimeline,
  serviceKey,
  ToolTables,
  TurnStages,
} from "@parley/core";
import { assemble } from "./assemble.ts";
import { createBroadcasts } from "./broadcasts/broadcasts.ts";
import { broadcastJob } from "./broadcasts/send-job.ts";
import { CONSOLE_AREAS } from "./console-areas.ts";
import { characterLifecycle } from "./conversations/character-lifecycle.ts";
import { createContextService } from "./conversations/context-service.ts";
import { getDebugInfo } from "./conversations/debug.ts";
import { createFolders } from "./conversations/folders.ts";
import { sessionPictures } from "./conversations/session-pictures.ts";
import { SWEEP_INTERVAL_MS, SWEEP_TEMPORARY, temporarySweepJob } from "./conversations/temporary-sweep.ts";
import { sessionTools } from "./mcp-tools.ts";
import { createBranches } from "./messages/branches.ts";
import { createMessageFeedback } from "./messages/message-feedback.ts";
import { createMessageSearch } from "./messages/message-search.ts";
import { createMessageService } from "./messages/message-service.ts";
import { createSendAsOperator } from "./messages/operator-send.ts";
import { activePeopleProbe } from "./people/active-people-probe.ts";
import { erasePersonJob } from "./people/erase-job.ts";
import { PERSON_ERASURES } from "./people/erasures.ts";
import { exportPerson } from "./people/export-person.ts";
import { listPeople } from "./people/list-people.ts";
import { PERSON_LIFECYCLE } from "./people/person-lifecycle.ts";
import { peopleRoutes } from "./people/routes.ts";
import { broadcastRoutes } from "./routes/broadcasts.ts";
import { chatRoutes } from "./routes/chat.ts";
import { contextRoutes } from "./routes/context.ts";
import { branchRoutes, feedbackRoutes, messageRoutes } from "./routes/messages.ts";
import { folderRoutes, sessionRoutes } from "./routes/sessions.ts";
import { transferRoutes } from "./routes/transfer.ts";
import { createSessions } from "./sessions.ts";
import { SESSION_MIGRATIONS } from "./store/migrations.ts";
import { createSessionExporter } from "./transfer/export.ts";
import { createSessionImporter } from "./transfer/import.ts";
import { proactiveJob } from "./turns/proactive-chat.ts";
import { historyStage, recordReplyStage, recordUserStage } from "./turns/turn-stages.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("sessions.own");

/** Conversations and their history. */
export default definePlugin({
  id: "sessions",
  requires: [Databases, Settings],
  register({ provide, contribute }) {
    addDocuments({ contribute }, PERSON_ERASURES);
    provide(Own, assemble);
    provide(Sessions, (from) => createSessions(from.get(Own)));
    provide(StateTimeline, (from) => from.get(Own).deps.timeline);
    contribute(SettingDefinitions, () => GROUP_MEMORY);
    contribute(RouteTables, (from) => {
      const { service, deps, lastPrompts } = from.get(Own);
      return sessionRoutes(service, deps.sessions.get, (id) => getDebugInfo(deps, lastPrompts, id));
    });
    contribute(RouteTables, (from) => {
      const { deps, addMessage } = from.get(Own);
      return messageRoutes(createMessageService(deps, addMessage), createSendAsOperator(deps, addMessage));
    });
    contribute(RouteTables, (from) =>
      branchRoutes(createBranches(from.get(Own).deps), createMessageSearch(from.get(Own).deps)),
    );
    contribute(RouteTables, (from) => feedbackRoutes(createMessageFeedback(from.get(Own).deps)));
    contribute(RouteTables, (from) => folderRoutes(createFolders(from.get(Own).deps)));
    contribute(RouteTables, (from) => chatRoutes(from.get(Own).chat));
    contribute(RouteTables, (from) => contextRoutes(createContextService(from.get(Own).deps)));
    contribute(RouteTables, (from) =>
      transferRoutes(createSessionExporter(from.get(Own).deps), createSessionImporter(from.get(Own).deps)),
    );
    contribute(RouteTables, (from) => broadcastRoutes(createBroadcasts(from.get(Own).broadcasting)));
    contribute(RouteTables, (from) => {
      const { erasures, erasing, jobs, deps } = from.get(Own);
      return peopleRoutes({
        erasures: () => erasures,
        jobs,
        now: from.get(Clock).now,
        list: (query) => listPeople(deps.database(), query),
        exportPerson: (person) => exportPerson(erasing, person),
      });
    });
    contribute(ToolTables, (from) => {
      const { deps, service, chat } = from.get(Own);
      const { sessions, messages, gateway } = deps;
      const outcome = (traceId: string, signal: AbortSignal) => gateway().outcome(traceId, signal);
      return sessionTools({ service, sessions, messages, chat, outcome });
    });
    contribute(TurnStages, (from) => recordUserStage(from.get(Own).deps));
    contribute(TurnStages, (from) => historyStage(from.get(Own).deps));
    contribute(TurnStages, (from) => recordReplyStage(from.get(Own).deps));
    contribute(TurnStages, (from) => from.get(Own).lastPrompts.stage);
    contribute(JobKinds, (from) => temporarySweepJob(from.get(Own).deps, from.get(Own).service));
    contribute(JobKinds, (from) => proactiveJob(from.get(Own).deps, () => from.get(Own).chat));
    contribute(JobKinds, (from) => erasePersonJob(() => from.get(Own).erasures));
    contribute(JobKinds, (from) =>
      broadcastJob({ ...from.get(Own).broadcasting, addMessage: from.get(Own).addMessage }),
    );
    contribute(RecordLifecycle, (from) => characterLifecycle(from.get(Own).deps));
    contribute(RecordLifecycle, () => PERSON_LIFECYCLE);
    contribute(PictureFields, (from) => sessionPictures(from.get(Own).deps));
    contribute(Probes, (from) => activePeopleProbe(from.get(Own).deps));
    for (const area of CONSOLE_AREAS) contribute(ConsoleAreas, () => area);
  },
  async start({ get }) {
    await get(Databases).main.migrate("sessions", SESSION_MIGRATIONS);
  },
  async ready({ find }) {
    const schedule = { everyMs: SWEEP_INTERVAL_MS, madeUpWithinMs: 24 * 3_600_000 };
    await find(Schedules)?.put({ id: SWEEP_TEMPORARY, kind: SWEEP_TEMPORARY, payload: {}, ...schedule });
  },
});
