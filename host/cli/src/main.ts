#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
import { runCommand } from "./command.ts";

await runCommand();
