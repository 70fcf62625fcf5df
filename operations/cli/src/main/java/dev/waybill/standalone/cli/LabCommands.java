package dev.waybill.standalone.cli;

import dev.waybill.migrations.Role;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.AutoCommitConnections;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.Suggestion;
import dev.waybill.standalone.servicebus.Bus;
import dev.waybill.standalone.servicebus.QueueTool;
import dev.waybill.standalone.servicebus.QueueTool.Seen;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        description = "For trying things out: puts messages in and takes them out by hand. Not where others work.",
        subcommands = {LabCommands.Append.class, LabCommands.Peek.class, LabCommands.Receive.class})
final class LabCommands {
    @Command(name = "append", description = "Appends a message to the outbox, as an application would.")
    static final class Append extends DatabaseCommand {
        @Parameters(paramLabel = "DESTINATION", description = "Where it goes.")
        @SuppressWarnings("NullAway.Init")
        private String destination;

        @Option(names = "--id", required = true, paramLabel = "ID", description = "Its logical id.")
        @SuppressWarnings("NullAway.Init")
        private String id;

        @Option(names = "--session", paramLabel = "ID", description = "Its session.")
        private @Nullable String session;

        @Option(names = "--text", required = true, paramLabel = "TEXT", description = "Its body.")
        @SuppressWarnings("NullAway.Init")
        private String text;

        @Option(
                names = "--count",
                converter = ArgumentConverters.RowLimit.class,
                paramLabel = "N",
                description = "So many messages, ID-1 to ID-N, in one transaction.")
        private @Nullable Integer count;

        @Override
        public Role role() {
            return Role.APP;
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            List<String> served = settings.destinations();
            if (!served.isEmpty() && !served.contains(destination)) {
                throw new NoSuchElementException("No destination '" + destination + "' is configured for " + settings
                        + Suggestion.among(served, destination));
            }
            List<OutboxMessage> messages = count == null
                    ? List.of(message(id))
                    : IntStream.rangeClosed(1, count)
                            .mapToObj(number -> message(id + "-" + number))
                            .toList();
            Outbox outbox = Outbox.builder().schema(settings.schema()).build();
            AutoCommitConnections.using(pool).transaction(tx -> outbox.append(tx.dsl(), messages));
            output().object(Output.row("appended", count == null ? id : id + "-1 to " + id + "-" + count));
            return ExitCode.OK;
        }

        private OutboxMessage message(String name) {
            var message = OutboxMessage.to(destination).id(name).text(text);
            return (session == null ? message : message.session(session)).build();
        }
    }

    abstract static class QueueVerb extends CliCommand {
        @Parameters(paramLabel = "DESTINATION", description = "The queue, by the name of its destination.")
        @SuppressWarnings("NullAway.Init")
        private String name;

        @Override
        public final Integer call() {
            Configuration configuration = configuration();
            DestinationSettings destination = configuration.destinations().stream()
                    .filter(candidate ->
                            candidate.name().equals(name) && !candidate.form().topic())
                    .findFirst()
                    .orElseThrow(() -> new NoSuchElementException(
                            "No queue '" + name + "' is configured" + Suggestion.among(queues(configuration), name)));
            NamespaceSettings namespace = configuration.namespaces().stream()
                    .filter(candidate -> configuration.destinations(candidate).contains(destination))
                    .findFirst()
                    .orElseThrow();
            var bus = new Bus(namespace);
            String entity = destination.place().entity();
            List<Map<String, Object>> rows =
                    run(bus.byHand(entity), entity).stream().map(QueueVerb::row).toList();
            output().table(rows, "There are no messages.");
            end(bus, entity, rows.size());
            return rows.isEmpty() ? ExitCode.NOT_FOUND : ExitCode.OK;
        }

        private static List<String> queues(Configuration configuration) {
            return configuration.destinations().stream()
                    .filter(destination -> !destination.form().topic())
                    .map(DestinationSettings::name)
                    .toList();
        }

        abstract List<Seen> run(QueueTool hand, String queue);

        /** Says what the table does not. */
        void end(Bus bus, String queue, int shown) {}

        private static Map<String, Object> row(Seen seen) {
            return Output.row(
                    "number", seen.number(),
                    "id", seen.ids().logical(),
                    "messageId", seen.ids().message(),
                    "session", seen.ids().session(),
                    "delivery", seen.delivery(),
                    "body", seen.body(),
                    "because", seen.because());
        }
    }

    @Command(name = "peek", description = "Looks at messages and leaves them. Exit code 3 if there are none.")
    static final class Peek extends QueueVerb {
        @Option(names = "--dead-letters", description = "At dead letters.")
        private boolean deadLetters;

        @Option(
                names = "--most",
                defaultValue = "20",
                converter = ArgumentConverters.RowLimit.class,
                paramLabel = "N",
                description = "How many (20).")
        private int most;

        private boolean more;

        @Override
        List<Seen> run(QueueTool hand, String queue) {
            List<Seen> seen = hand.peek(queue, deadLetters, most + 1);
            more = seen.size() > most;
            return more ? seen.subList(0, most) : seen;
        }

        @Override
        void end(Bus bus, String queue, int shown) {
            if (more) {
                String number = bus.entities()
                        .queue(queue)
                        .facts()
                        .map(facts -> facts.state().messages())
                        .map(all -> deadLetters ? all.deadLetters() : all.all() - all.deadLetters())
                        .filter(all -> all > shown)
                        .map(all -> String.valueOf(all - shown))
                        .orElse("");
                output().note("There are " + (number.isEmpty() ? "more" : number + " more") + " than these " + shown
                        + "; --most N shows up to " + ArgumentConverters.MOST_ROWS);
            }
        }
    }

    @Command(
            name = "receive",
            description = "Takes messages and completes them, or gives the first one back again and again."
                    + " Exit code 3 if there are none.")
    static final class Receive extends QueueVerb {
        @Option(names = "--session", paramLabel = "ID", description = "Of this session.")
        private @Nullable String session;

        @Option(
                names = "--most",
                defaultValue = "1",
                converter = ArgumentConverters.RowLimit.class,
                paramLabel = "N",
                description = "How many (1).")
        private int most;

        @Option(
                names = "--abandon",
                converter = ArgumentConverters.PositiveInt.class,
                paramLabel = "N",
                description = "Give the first one back, so many times.")
        private @Nullable Integer abandon;

        @Override
        List<Seen> run(QueueTool hand, String queue) {
            Optional<String> of = Optional.ofNullable(session);
            return abandon != null ? hand.abandon(queue, of, abandon) : hand.receive(queue, of, most);
        }
    }
}
