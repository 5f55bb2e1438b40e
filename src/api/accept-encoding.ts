/** Whether a client takes an encoding: by Accept-Encoding, where it stands by name, else by `*`, unless its weight is 0. */
export function acceptsEncoding(encoding: "gzip" | "br", header: string | string[] | undefined): boolean {
  const accepted = String(header ?? "")
    .toLowerCase()
    .split(",")
    .map((one) => one.split(";").map((part) => part.trim()))
  const [, ...parameters] = accepted.find(([name]) => name === encoding) ??
    accepted.find(([name]) => name === "*") ?? ["", "q=0"]
  return !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
}
