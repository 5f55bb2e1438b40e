import { Table } from "@medusajs/ui"
import { useFormats } from "../format"
import { useText } from "../text"
import { Badge, type Color } from "../ui/bits"
import { Section } from "../ui/section"
import type { Acquirer, Overview } from "./types"

const COLORS: Readonly<Record<Acquirer["state"], Color>> = { up: "green", down: "red", off: "grey", gone: "grey" }

/** How each acquirer has answered within the period, and whether it can be reached now. */
export const Acquirers = ({ overview: { acquirers } }: { overview: Overview }) => {
  const say = useText()
  const { number, percent } = useFormats()
  const seconds = (ms: number | null) =>
    ms === null ? "–" : say("overview.acquirers.within", { seconds: number(ms / 1000) })
  const heads = ["success", "paid", "declined", "median", "p95", "in_doubt"] as const
  return (
    <Section
      heading={say("overview.acquirers.title")}
      description={say(acquirers.length === 0 ? "overview.acquirers.nothing" : "overview.acquirers.description")}
    >
      {acquirers.length > 0 && (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={say("overview.acquirers.title")}>
          <Table>
            <Table.Header>
              <Table.Row>
                <Table.HeaderCell>{say("payments.acquirer")}</Table.HeaderCell>
                {heads.map((name) => (
                  <Table.HeaderCell key={name} className="text-right">
                    {say(`overview.acquirers.${name}`)}
                  </Table.HeaderCell>
                ))}
                <Table.HeaderCell>{say("overview.acquirers.state")}</Table.HeaderCell>
              </Table.Row>
            </Table.Header>
            <Table.Body>
              {acquirers.map((one) => (
                <Table.Row key={one.acquirer}>
                  <Table.Cell className="whitespace-nowrap">{one.acquirer}</Table.Cell>
                  <Table.Cell className="text-right">{percent(one.success_percent)}</Table.Cell>
                  <Table.Cell className="text-right">{number(one.paid)}</Table.Cell>
                  <Table.Cell className="text-right">{number(one.declined)}</Table.Cell>
                  <Table.Cell className="whitespace-nowrap text-right">{seconds(one.median_ms)}</Table.Cell>
                  <Table.Cell className="whitespace-nowrap text-right">{seconds(one.p95_ms)}</Table.Cell>
                  <Table.Cell className="text-right">{number(one.in_doubt)}</Table.Cell>
                  <Table.Cell>
                    <Badge color={COLORS[one.state]}>{say(`overview.acquirers.states.${one.state}`)}</Badge>
                  </Table.Cell>
                </Table.Row>
              ))}
            </Table.Body>
          </Table>
        </div>
      )}
    </Section>
  )
}
