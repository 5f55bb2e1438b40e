/**
 * What `work` returns, or the error of `tooLate` after so many seconds. The work itself goes on: what it does later must
 * be harmless.
 */
export async function inSeconds<Result>(seconds: number, work: Promise<Result>, tooLate: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate()), seconds * 1_000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
