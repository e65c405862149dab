/**
 * Creates the function that ends this process. When it ends with code 0 in another way, because a plugin exits or nothing
 * is left to do, the code becomes 1: a supervisor starts the service again only after a failure.
 */
export function createExpectedExit(): (code: number) => never {
  let isExpected = false;
  process.on("exit", (code) => {
    if (code === 0 && !isExpected) process.exitCode = 1;
  });
  return (code) => {
    isExpected = true;
    return process.exit(code);
  };
}
