#!/usr/bin/env node
import { simulate } from "../dist/command.js";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopping.abort());
process.exitCode = await simulate({
  args: process.argv.slice(2),
  input: process.stdin,
  print: (line) => process.stdout.write(`${line}\n`),
  signal: stopping.signal,
});
