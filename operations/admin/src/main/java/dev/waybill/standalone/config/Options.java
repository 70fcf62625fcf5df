package dev.waybill.standalone.config;

import static dev.waybill.standalone.config.Kind.DURATION;
import static dev.waybill.standalone.config.Kind.INTEGER;
import static dev.waybill.standalone.config.Kind.LIST;
import static dev.waybill.standalone.config.Kind.RATIO;
import static dev.waybill.standalone.config.Kind.SWITCH;
import static dev.waybill.standalone.config.Kind.TEXT;
import static dev.waybill.standalone.config.Option.choice;
import static dev.waybill.standalone.config.Option.secret;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

final class Options {
    private static final List<Option> PROCESS = List.of(
            new Option(
                    "instance",
                    TEXT,
                    "name",
                    "",
                    "The name by which operators know this process; host and process id unless given."),
            new Option(
                    "shutdown.deadline",
                    DURATION,
                    "time",
                    "25s",
                    "How long the process may take to settle what is on"
                            + " its way and to give its leases back after SIGTERM. Keep it below the platform's own patience."),
            new Option("http.bind", TEXT, "address", "0.0.0.0", "Where probes and metrics are served."),
            new Option("http.port", INTEGER, "port", "8080", "The port of probes and metrics; 0 takes any free one."),
            choice(
                    "log.format",
                    List.of("auto", "json", "text"),
                    "How log lines look; auto is text on a terminal and JSON elsewhere."),
            choice(
                    "log.level",
                    List.of("info", "error", "warn", "debug", "trace"),
                    "The least that is logged of Waybill;" + " libraries log from warn on. Bodies are never logged."),
            new Option(
                    "log.level-file",
                    TEXT,
                    "file",
                    "",
                    "Changes the level while the process runs: a level, or lines of logger=level. Looked at every 2 s; without"
                            + " it the configured levels hold. waybill-INSTANCE.level in the JVM's directory for temporary"
                            + " files unless given."),
            new Option(
                    "metrics.interval",
                    DURATION,
                    "time",
                    "15s",
                    "How often backlog, ages and holds are counted. Scrapes in between see the last count."),
            new Option(
                    "metrics.otlp-endpoint",
                    TEXT,
                    "URL",
                    "",
                    "Where metrics are sent as OTLP over HTTP, such as"
                            + " http://collector:4318/v1/metrics; nowhere unless given."),
            new Option(
                    "tracing.otlp-endpoint",
                    TEXT,
                    "URL",
                    "",
                    "Where spans are sent as OTLP over HTTP, such as"
                            + " http://collector:4318/v1/traces; nowhere unless given."),
            new Option(
                    "tracing.sample-ratio",
                    RATIO,
                    "share",
                    "1",
                    "Share of the sends of several messages that are traced; a send of one message follows its trace."));

    private static final List<Option> RELAY = List.of(
            new Option(
                    "relay.lease-duration",
                    DURATION,
                    "time",
                    "15s",
                    "How long the destinations of a crashed relay stand still."),
            new Option(
                    "relay.poll-interval",
                    DURATION,
                    "time",
                    "8ms",
                    "The shortest time between two polls for new messages. Longer makes each message cheaper for the"
                            + " database, and later."),
            new Option(
                    "relay.longest-idle",
                    DURATION,
                    "time",
                    "500ms",
                    "The longest time between two polls of an idle destination; 1ms to 1d."),
            new Option(
                    "relay.batch-rows",
                    INTEGER,
                    "rows",
                    "100",
                    "Most messages in a batch of a lane, 1 to 10000. A destination has 32 lanes; a session is always in the"
                            + " same one."),
            new Option(
                    "relay.send-deadline",
                    DURATION,
                    "time",
                    "30s",
                    "How long one send may take; what takes longer is sent again."),
            new Option(
                    "relay.listen",
                    SWITCH,
                    "",
                    "true",
                    "Whether writers may wake the relay by a notification. Takes a connection of its own, which must not go"
                            + " through a pooler in transaction mode."),
            new Option(
                    "relay.claim-retention",
                    DURATION,
                    "time",
                    "0",
                    "How long bodies that are kept in the database stay"
                            + " after publication; 0 keeps them for ever."));

    private static final List<Option> DATABASES = List.of(
            new Option(
                    "database.*.url",
                    TEXT,
                    "JDBC URL",
                    "",
                    "jdbc:postgresql://host:5432/name. Needed. Its parameters win over these defaults: connectTimeout=3"
                            + " (seconds for each host), sslResponseTimeout=3000 (milliseconds), loginTimeout=8 (seconds,"
                            + " times the number of hosts), tcpKeepAlive=true, logServerErrorDetail=false (details of errors"
                            + " show rows, and so the beginning of bodies) and, in a relay but not in a command,"
                            + " socketTimeout=10 (seconds without an answer, so that a relay notices a dead connection"
                            + " within its lease)."),
            new Option("database.*.user", TEXT, "name", "", "The database role; may stand in the URL instead."),
            secret("database.*.password", "Its password."),
            new Option(
                    "database.*.credential",
                    TEXT,
                    "name",
                    "",
                    "Instead of a password: the identity whose token is the password, default, managed-identity,"
                            + " workload-identity, environment or cli; or a PasswordSource of the class path. Then sslmode=require"
                            + " is the default."),
            new Option(
                    "database.*.client-id", TEXT, "id", "", "Which of several identities of the machine or workload."),
            new Option("database.*.schema", TEXT, "name", "waybill", "The schema of Waybill's tables."),
            new Option(
                    "database.*.namespace",
                    TEXT,
                    "name",
                    "",
                    "The namespace its messages go to; the only one unless given."),
            new Option(
                    "database.*.destinations",
                    LIST,
                    "names",
                    "",
                    "The destinations its messages may have; all unless given."),
            new Option(
                    "database.*.collect",
                    LIST,
                    "names",
                    "",
                    "Whose dead letters are moved into this database: a queue's by its destination, a subscription's by"
                            + " destination/subscription."),
            new Option(
                    "database.*.pool-size",
                    INTEGER,
                    "connections",
                    "0",
                    "Most connections, 5 at least; 0 takes eight, and one per entity that is collected from."));

    private static final List<Option> NAMESPACES = List.of(
            new Option(
                    "namespace.*.host",
                    TEXT,
                    "host name",
                    "",
                    "name.servicebus.windows.net, reached with an identity."),
            choice(
                    "namespace.*.credential",
                    List.of("default", "managed-identity", "workload-identity", "environment", "cli"),
                    "Which identity: default tries environment, workload identity, managed identity and the CLI in turn."),
            new Option(
                    "namespace.*.client-id", TEXT, "id", "", "Which of several identities of the machine or workload."),
            secret(
                    "namespace.*.connection-string",
                    "A connection string instead of host and identity. It holds a key that"
                            + " somebody has to keep and to change: for emulators."),
            choice(
                    "namespace.*.tier",
                    List.of("standard", "basic", "premium"),
                    "The tier, which decides about the features of the namespace."),
            new Option(
                    "namespace.*.administration",
                    SWITCH,
                    "",
                    "true",
                    "Whether doctor and topology may read entity"
                            + " settings, which needs the role Data Owner; without it they say what they could not verify."),
            new Option(
                    "namespace.*.administration-endpoint",
                    TEXT,
                    "URL",
                    "",
                    "Where an emulator serves administration; the host itself unless given."),
            choice(
                    "namespace.*.transport",
                    List.of("amqp", "websockets"),
                    "How the process reaches the namespace: AMQP on port 5671, or AMQP in WebSockets on port 443."),
            new Option(
                    "namespace.*.proxy",
                    TEXT,
                    "URL",
                    "",
                    "An HTTP proxy such as http://user@proxy.example:3128, for messages, administration and sign-in."
                            + " Needs the transport websockets. Without it sign-in and administration follow -Dhttps.proxyHost."),
            secret("namespace.*.proxy-password", "The password of the proxy's user."),
            new Option(
                    "namespace.*.proxy-exclusions",
                    LIST,
                    "hosts",
                    "",
                    "Hosts that are reached without the proxy, such as *.internal. The addresses where a machine gets the"
                            + " tokens of its managed identity always are."));

    private static final List<Option> CONSUMERS = List.of(
            new Option(
                    "consumer.*.entity",
                    TEXT,
                    "name",
                    "",
                    "The source of its messages: a destination, or destination/subscription. Needed."),
            choice("consumer.*.receive-mode", List.of("peek-lock", "receive-and-delete"), "How it receives."),
            new Option("consumer.*.handler-time", DURATION, "time", "30s", "The longest its handler takes."),
            new Option(
                    "consumer.*.lock-renewal",
                    DURATION,
                    "time",
                    "5m",
                    "How long it prolongs a lock; 0 for not at all."),
            new Option("consumer.*.prefetch", INTEGER, "messages", "0", "How many messages it has sent ahead."),
            new Option("consumer.*.concurrency", INTEGER, "handlers", "8", "How many handlers run side by side."),
            new Option("consumer.*.retention", DURATION, "time", "14d", "How long it remembers ids; 0 for ever."),
            new Option(
                    "consumer.*.redrive-horizon",
                    DURATION,
                    "time",
                    "7d",
                    "How old a dead letter may be when it comes back."));

    static final List<Option> ALL = Stream.of(
                    DATABASES.stream(),
                    ConsoleOptions.LOGINS.stream(),
                    NAMESPACES.stream(),
                    EntityOptions.all(),
                    CONSUMERS.stream(),
                    RELAY.stream(),
                    ConsoleOptions.CONSOLE.stream(),
                    PROCESS.stream())
            .flatMap(options -> options)
            .toList();

    private Options() {}

    static Optional<Option> find(Key key) {
        return ALL.stream().filter(option -> option.matches(key)).findFirst();
    }

    /** Whether the key ends with a name, as {@code destination.orders} does. */
    static boolean isName(Key key) {
        return ALL.stream().anyMatch(option -> option.isUnder(key));
    }

    static boolean hasOptions(Key key) {
        return ALL.stream().anyMatch(option -> option.isBelow(key));
    }
}
