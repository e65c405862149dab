#!/usr/bin/env -S node --max-semi-space-size=8
import { runCommand } from "./command.ts";

await runCommand();
