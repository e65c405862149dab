import {
  addDocuments,
  ChatCommands,
  Clock,
  ConsoleAreas,
  Databases,
  definePlugin,
  FollowUps,
  GROUP_MEMORY,
  JobKinds,
  ModelCalls,
  Models,
  PictureFields,
  Probes,
  RecordLifecycle,
  RouteTables,
  Sessions,
  SettingDefinitions,
  Settings,
  StateTimeline,
  serviceKey,
  ToolTables,
  TurnStages,
  Upkeeps,
} from "@parley/core";
import { assemble } from "./assemble.ts";
import { createBroadcasts } from "./broadcasts/broadcasts.ts";
import { broadcastJob } from "./broadcasts/send-job.ts";
import { CONSOLE_AREAS } from "./console-areas.ts";
import { createCharacterLifecycle } from "./conversations/characters/character-lifecycle.ts";
import { createContextService } from "./conversations/context-service.ts";
import { getDebugInfo } from "./conversations/debug.ts";
import { createFolders } from "./conversations/folders.ts";
import { createSessionPictures } from "./conversations/session-pictures.ts";
import { createTemporarySweep } from "./conversations/temporary-sweep.ts";
import { createSessionTools } from "./mcp-tools.ts";
import { createBranches } from "./messages/branches.ts";
import { createMessageFeedback } from "./messages/message-feedback.ts";
import { createMessageSearch } from "./messages/message-search.ts";
import { createMessageService } from "./messages/message-service.ts";
import { createSendAsOperator } from "./messages/operator-send.ts";
import { createActivePeopleProbe } from "./people/active-people-probe.ts";
import { createErasePersonJob } from "./people/erase-job.ts";
import { PERSON_ERASURES } from "./people/erasures.ts";
import { exportPerson } from "./people/export-person.ts";
import { listPeople } from "./people/list-people.ts";
import { PERSON_LIFECYCLE } from "./people/person-lifecycle.ts";
import { createPeopleRoutes } from "./people/routes.ts";
import { createFollowUpJob, toFollowUpEffects } from "./proactive/follow-up-job.ts";
import { createProactiveJob } from "./proactive/idle-job.ts";
import { createBroadcastRoutes } from "./routes/broadcasts.ts";
import { createChatRoutes } from "./routes/chat.ts";
import { createContextRoutes } from "./routes/context.ts";
import { createBranchRoutes, createFeedbackRoutes, createMessageRoutes } from "./routes/messages.ts";
import { createFolderRoutes, createSessionRoutes } from "./routes/sessions.ts";
import { createTransferRoutes } from "./routes/transfer.ts";
import { createSessions } from "./sessions.ts";
import { SESSION_MIGRATIONS } from "./store/migrations.ts";
import { createSessionExporter } from "./transfer/export.ts";
import { createSessionImporter } from "./transfer/import.ts";
import { createRetryCommand, createRetryStage, createStatsCommand, createUndoCommand } from "./turns/commands.ts";
import { COMPACT_AT, COMPACTION, createCompactJob, createCompactStage } from "./turns/compaction.ts";
import { createResetStage } from "./turns/reset-stage.ts";
import { createSetCommand } from "./turns/set-command.ts";
import { createNextSpeakerJob } from "./turns/speakers/next-speaker-job.ts";
import { createSpeakerStage } from "./turns/speakers/speaker-stage.ts";
import { createHistoryStage, createRecordReplyStage, createRecordUserStage } from "./turns/turn-stages.ts";

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
    provide(FollowUps, (from) => ({
      plan: (session, messageId, followUps) => toFollowUpEffects(from.get(Own).deps, session, messageId, followUps),
    }));
    provide(StateTimeline, (from) => from.get(Own).deps.timeline);
    for (const definition of [GROUP_MEMORY, COMPACTION, COMPACT_AT]) contribute(SettingDefinitions, () => definition);
    contribute(RouteTables, (from) => {
      const { service, deps, lastPrompts } = from.get(Own);
      return createSessionRoutes(service, deps.sessions.get, (id) => getDebugInfo(deps, lastPrompts, id));
    });
    contribute(RouteTables, (from) => {
      const { deps, addMessage } = from.get(Own);
      return createMessageRoutes(createMessageService(deps, addMessage), createSendAsOperator(deps, addMessage));
    });
    contribute(RouteTables, (from) =>
      createBranchRoutes(createBranches(from.get(Own).deps), createMessageSearch(from.get(Own).deps)),
    );
    contribute(RouteTables, (from) => createFeedbackRoutes(createMessageFeedback(from.get(Own).deps)));
    contribute(RouteTables, (from) => createFolderRoutes(createFolders(from.get(Own).deps)));
    contribute(RouteTables, (from) => createChatRoutes(from.get(Own).chat));
    contribute(RouteTables, (from) => createContextRoutes(createContextService(from.get(Own).deps)));
    contribute(RouteTables, (from) =>
      createTransferRoutes(createSessionExporter(from.get(Own).deps), createSessionImporter(from.get(Own).deps)),
    );
    contribute(RouteTables, (from) => createBroadcastRoutes(createBroadcasts(from.get(Own).broadcasting)));
    contribute(RouteTables, (from) => {
      const { erasures, erasing, jobs, deps } = from.get(Own);
      return createPeopleRoutes({
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
      return createSessionTools({ service, sessions, messages, chat, outcome });
    });
    contribute(TurnStages, (from) => createResetStage(from.get(Own).deps));
    contribute(TurnStages, (from) => createRetryStage(from.get(Own).deps));
    contribute(ChatCommands, (from) => createUndoCommand(from.get(Own).deps));
    contribute(ChatCommands, () => createRetryCommand());
    contribute(ChatCommands, (from) => createStatsCommand(from.get(Own).deps, () => from.find(Models)));
    contribute(ChatCommands, (from) => createSetCommand(from.get(Own).deps));
    contribute(TurnStages, (from) => createRecordUserStage(from.get(Own).deps));
    contribute(TurnStages, (from) =>
      createSpeakerStage({ ...from.get(Own).deps, models: () => from.find(ModelCalls) }),
    );
    contribute(TurnStages, (from) => createHistoryStage(from.get(Own).deps));
    contribute(TurnStages, (from) => createRecordReplyStage(from.get(Own).deps));
    contribute(TurnStages, (from) => createCompactStage(from.get(Own).deps));
    contribute(TurnStages, (from) => from.get(Own).lastPrompts.stage);
    contribute(Upkeeps, (from) => createTemporarySweep(from.get(Own).deps, from.get(Own).service));
    contribute(JobKinds, (from) => createCompactJob(from.get(Own).deps));
    contribute(JobKinds, (from) => createProactiveJob(from.get(Own).deps, () => from.get(Own).chat));
    contribute(JobKinds, (from) => createFollowUpJob(from.get(Own).deps, () => from.get(Own).chat));
    contribute(JobKinds, (from) => createNextSpeakerJob(from.get(Own).deps, () => from.get(Own).chat));
    contribute(JobKinds, (from) => createErasePersonJob(() => from.get(Own).erasures));
    contribute(JobKinds, (from) =>
      broadcastJob({ ...from.get(Own).broadcasting, addMessage: from.get(Own).addMessage }),
    );
    contribute(RecordLifecycle, (from) => createCharacterLifecycle(from.get(Own).deps));
    contribute(RecordLifecycle, () => PERSON_LIFECYCLE);
    contribute(PictureFields, (from) => createSessionPictures(from.get(Own).deps));
    contribute(Probes, (from) => createActivePeopleProbe(from.get(Own).deps));
    for (const area of CONSOLE_AREAS) contribute(ConsoleAreas, () => area);
  },
  async start({ get }) {
    await get(Databases).main.migrate("sessions", SESSION_MIGRATIONS);
  },
});
