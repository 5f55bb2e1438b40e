import { Heading, Table, Text } from "@medusajs/ui"
import { useState, type ReactNode } from "react"
import { useAdminQuery } from "../data"
import { acquirerName, serviceName } from "../payments/parts"
import { useIsNarrow } from "../table/rows"
import { useText, type Say } from "../text"
import { ActButton, Badge, type Color, Moment } from "../ui/bits"
import { ErrorState, Facts, Loading, Section } from "../ui/section"
import { connectionOf, type Account, type Acquirer, type Connection } from "./draft"
import { AccountForm } from "./form"
import { EnvironmentAccount } from "./parts"

const COLUMNS = ["account", "services", "order", "state", "connection"] as const
type Column = (typeof COLUMNS)[number]
const COLORS: Readonly<Record<Connection, Color>> = {
  untested: "orange",
  works: "green",
  failing: "red",
  never_worked: "red",
  unreadable: "red",
}

/** Every acquirer that the gateway includes, with the merchant's account at it. */
export const AcquirerList = () => {
  const say = useText()
  const { data, error, refetch } = useAdminQuery<{ acquirers: Acquirer[] }>("/acquirers")
  const [opened, setOpened] = useState<string | null>(null)
  const acquirers = data?.acquirers.map((one) => ({ ...one, name: acquirerName(say, one.id, one.name) }))
  const chosen = acquirers?.find(({ id }) => id === opened)
  const close = () => setOpened(null)
  return (
    <Section level="h1" heading={say("acquirers.title")} description={say("acquirers.description")}>
      {acquirers === undefined ? (
        error === null ? (
          <Loading lines={4} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )
      ) : (
        <Acquirers acquirers={acquirers} onOpen={setOpened} />
      )}
      {chosen?.account?.source === "environment" && <EnvironmentAccount acquirer={chosen} onClose={close} />}
      {chosen !== undefined && chosen.account?.source !== "environment" && (
        <AccountForm key={chosen.id} acquirer={chosen} onClose={close} />
      )}
    </Section>
  )
}

type Props = { acquirers: Acquirer[]; onOpen: (id: string) => void }

/** A table, or on a phone, where it would have to be scrolled sideways, its rows below each other. */
const Acquirers = (props: Props) => {
  const isNarrow = useIsNarrow()
  return isNarrow ? <AcquirerRows {...props} /> : <AcquirerTable {...props} />
}

const AcquirerRows = ({ acquirers, onOpen }: Props) => {
  const say = useText()
  return (
    <ul className="divide-y border-t">
      {acquirers.map((acquirer) => (
        <li key={acquirer.id}>
          <div className="flex items-center justify-between gap-4 px-6 py-4">
            <Heading level="h2" translate="no">
              {acquirer.name}
            </Heading>
            <OpenButton acquirer={acquirer} onOpen={onOpen} />
          </div>
          {acquirer.account === null ? (
            <Text size="small" className="text-ui-fg-muted px-6 pb-4">
              {say("acquirers.none")}
            </Text>
          ) : (
            <Facts rows={COLUMNS.map((name) => [say(`acquirers.${name}`), cellsOf(say, acquirer)[name]] as const)} />
          )}
        </li>
      ))}
    </ul>
  )
}

const AcquirerTable = ({ acquirers, onOpen }: Props) => {
  const say = useText()
  return (
    <div className="overflow-x-auto">
      <Table>
        <Table.Header>
          <Table.Row>
            {(["name", ...COLUMNS] as const).map((name) => (
              <Table.HeaderCell key={name}>{say(`acquirers.${name}`)}</Table.HeaderCell>
            ))}
            <Table.HeaderCell>
              <span className="sr-only">{say("common.actions")}</span>
            </Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {acquirers.map((acquirer) => (
            <Table.Row key={acquirer.id}>
              <Table.Cell className="whitespace-nowrap">{acquirer.name}</Table.Cell>
              {COLUMNS.map((name) => (
                <Table.Cell key={name}>{cellsOf(say, acquirer)[name]}</Table.Cell>
              ))}
              <Table.Cell className="text-right">
                <OpenButton acquirer={acquirer} onOpen={onOpen} />
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </div>
  )
}

const OpenButton = ({ acquirer, onOpen }: { acquirer: Acquirer; onOpen: Props["onOpen"] }) => {
  const say = useText()
  const { id, name, account } = acquirer
  const [short, long] =
    account === null
      ? (["acquirers.enter", "acquirers.set_up"] as const)
      : account.source === "environment"
        ? (["acquirers.look", "acquirers.show"] as const)
        : (["common.edit", "acquirers.edit"] as const)
  return (
    <ActButton
      // An account is also opened to read it.
      area={account === null ? "acquirers" : undefined}
      variant="transparent"
      aria-label={say(long, { name })}
      onClick={() => onOpen(id)}
    >
      {say(short)}
    </ActButton>
  )
}

function cellsOf(say: Say, { account, fields }: Acquirer): Record<Column, ReactNode> {
  if (account === null) {
    const none = <span className="text-ui-fg-muted whitespace-nowrap">{say("acquirers.none")}</span>
    return { account: none, services: "–", order: "–", state: "–", connection: "–" }
  }
  const [first] = fields.filter(({ secret }) => !secret)
  const isOfEnvironment = account.source === "environment"
  const all = account.services.length === 0 ? say("acquirers.all_services") : null
  return {
    account: (
      <>
        <Text size="small" leading="compact" className="whitespace-nowrap">
          {(first && account.settings[first.name]) ?? "–"}
        </Text>
        {isOfEnvironment && (
          <Text size="xsmall" className="text-ui-fg-subtle whitespace-nowrap">
            {say("acquirers.from_environment")}
          </Text>
        )}
      </>
    ),
    services: all ?? account.services.map((code) => serviceName(say, code)).join(", "),
    order: account.position ?? "–",
    state: (
      <Badge color={account.is_active ? "green" : "grey"}>
        {say(account.is_active ? "acquirers.active" : "acquirers.off")}
      </Badge>
    ),
    connection: isOfEnvironment ? "–" : <ConnectionState account={account} />,
  }
}

const ConnectionState = ({ account }: { account: Account }) => {
  const say = useText()
  const found = connectionOf(account)
  return (
    <div className="flex flex-col items-start gap-1 py-2">
      <Badge color={COLORS[found]}>{say(`acquirers.connections.${found}`)}</Badge>
      {account.last_test !== null && (
        <Text size="xsmall" className="text-ui-fg-subtle">
          <Moment at={account.last_test.at} />
        </Text>
      )}
    </div>
  )
}
