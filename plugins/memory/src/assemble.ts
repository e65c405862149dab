import {
  Channels,
  Characters,
  Clock,
  Databases,
  FollowUps,
  Jobs,
  LiveEvents,
  ModelCalls,
  Models,
  People,
  type Resolver,
  Sessions,
  Settings,
  Signals,
  TextIndex,
} from "@parley/core";
import { createMemoryWriter } from "./extraction/memory-writer.ts";
import { createPersonMemories } from "./people/person-memories.ts";
import { createMemorySwitch } from "./settings.ts";
import { createMemoryEmbeddings } from "./store/embedding-job.ts";
import { createMemoryService } from "./store/memories.ts";
import { createMemoryIndex } from "./store/memory-index.ts";
import { createMemoryStore } from "./store/memory-store.ts";

export function assemble(from: Resolver) {
  const [clock, events] = [from.get(Clock), from.get(LiveEvents)];
  const database = () => from.get(Databases).main;
  const settings = () => from.get(Settings);
  const sessions = () => from.get(Sessions);
  const models = () => from.find(Models);
  const people = () => from.find(People);
  const jobs = () => from.find(Jobs);
  const channels = () => from.find(Channels);
  const calls = () => from.find(ModelCalls);
  const store = createMemoryStore(database, () => clock.now(), {
    isShared: () => from.find(Signals)?.isShared === true,
  });
  const index = createMemoryIndex({ index: () => from.get(TextIndex), database, calls });
  const shared = { store, index, database, characters: () => from.find(Characters), events, clock };
  const memories = createMemoryService(shared);
  const remember = createMemoryWriter({ ...shared, memories, people });
  return {
    ...shared,
    memories,
    remember,
    embeddings: createMemoryEmbeddings({ index, models, jobs }),
    personMemories: createPersonMemories({ ...shared, memories, people, sessions, settings }),
    memorySwitch: createMemorySwitch({ settings, models }),
    people,
    sessions,
    jobs,
    calls,
    channels,
    followUps: () => from.find(FollowUps),
    models,
    settings,
  };
}
