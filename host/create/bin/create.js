#!/usr/bin/env node
// Must be understood by every Node there is: an old one is told what it lacks, not where it stumbled.
if (Number(process.versions.node.split(".")[0]) < 24) {
  process.stderr.write(`Parley needs Node 24 or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  import("../dist/index.js").then(({ createFolder }) => {
    const [folder = "."] = process.argv.slice(2);
    for (const line of createFolder(folder)) process.stdout.write(`${line}\n`);
  });
}
