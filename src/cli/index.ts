#!/usr/bin/env node
import { processContext } from "./context"
import { run } from "./program"

void run(process.argv.slice(2), processContext()).then((code) => {
  process.exitCode = code
})
