#!/usr/bin/env node
import { tortureCommand } from "../dist/torture/torture-command.js";

process.exitCode = await tortureCommand({
  args: process.argv.slice(2),
  print: (line) => process.stdout.write(`${line}\n`),
});
