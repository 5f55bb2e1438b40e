/** Answers requests over IPC: `{ id, ask, with }` with `{ id, answer }`, or with `{ id, failed }`. */
export function answerAsked(answers) {
  process.on("message", async ({ id, ask, with: input }) => {
    try {
      process.send({ id, answer: await answers[ask](input) })
    } catch (error) {
      process.send({ id, failed: String(error?.stack ?? error) })
    }
  })
}
