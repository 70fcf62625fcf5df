package dev.waybill.standalone.cli;

import dev.waybill.deadletter.Erasure;
import dev.waybill.deadletter.ErasureReport;
import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.message.BrokerNames;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.Documents;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.ListOptions;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs {@code erase} and {@code erasures}. */
@Command(
        name = "erasures",
        mixinStandardHelpOptions = true,
        description = "Orders by which messages were erased. Keep them apart from the database, for restored backups.",
        subcommands = {
            ErasureCommands.Listing.class,
            ErasureCommands.Export.class,
            ErasureCommands.Import.class,
            ErasureCommands.Repeat.class,
            ErasureCommands.Lift.class
        })
final class ErasureCommands {
    static final class Subject {
        @Option(
                names = "--message",
                converter = ArgumentConverters.GivenText.class,
                required = true,
                paramLabel = "ID",
                description = "A message, by its logical id.")
        private @Nullable String message;

        @Option(
                names = "--session",
                converter = ArgumentConverters.GivenText.class,
                required = true,
                paramLabel = "ID",
                description = "All messages of a session.")
        private @Nullable String session;

        // Service Bus folds the case of all letters, the tables that of A to Z.
        boolean hasOtherSpellings() {
            return session != null && BrokerNames.hasUnfoldedLetters(session.toUpperCase(Locale.ROOT));
        }

        ErasureRequest request() {
            return message != null ? ErasureRequest.message(message) : ErasureRequest.session(String.valueOf(session));
        }
    }

    @Command(
            name = "erase",
            description =
                    "Erases a message or a session in every table, and sees to it that it does not come back: dead"
                            + " letters, archive, hold audit, bodies, answers, session state, published rows. The broker,"
                            + " backups, WAL, exported files and archives outside the database are out of reach."
                            + " Exit code 10 if documents are in such an archive.")
    static final class Erase extends MutatingCommand {
        @ArgGroup(multiplicity = "1")
        @SuppressWarnings("NullAway.Init")
        private Subject subject;

        @Option(names = "--live", description = "Also what is pending, scheduled or held: those messages are lost.")
        private boolean live;

        @Override
        public Role role() {
            return Role.ERASER;
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            Erasure erasure = Erasure.in(pool, settings.schema());
            ErasureRequest request = live ? subject.request().withLive() : subject.request();
            ErasureReport found = erasure.preview(request);
            if (subject.hasOtherSpellings()) {
                output().say(
                                "A session with letters beyond A to Z is erased in this spelling alone; foreign senders may"
                                        + " have written another one, such as in another case. Erase each");
            }
            if (isDryRun()) {
                return print(this, settings.schema(), found, "found");
            }
            confirmOne(found.total() + " copies are erased for good", request.id());
            return print(this, settings.schema(), erasure.erase(request, instruction()), "removed");
        }
    }

    @Command(name = "list", description = "Lists the orders, the newest first. The ids stand in them as digests.")
    static final class Listing extends DatabaseCommand {
        @Mixin
        private ListOptions part = new ListOptions();

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            Erasure erasure = Erasure.in(pool, settings.schema());
            part.print(
                    output(),
                    erasure.newestOrders(part.most()).map(ErasureCommands::row),
                    "Nothing was ever erased by an order.");
            return ExitCode.OK;
        }
    }

    @Command(name = "export", description = "Writes the orders to a file, one JSON object a line.")
    static final class Export extends DatabaseCommand {
        @Parameters(paramLabel = "FILE", description = "The file; it must not exist. - is standard output.")
        @SuppressWarnings("NullAway.Init")
        private Path file;

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) throws IOException {
            try (Writer out = create(file)) {
                int exported = Erasure.in(pool, settings.schema()).export(out);
                outputBeside(file).object(Output.row("file", file, "exported", exported));
            }
            return ExitCode.OK;
        }
    }

    @Command(name = "import", description = "Takes orders from a file. Removes nothing; repeat does.")
    static final class Import extends DatabaseCommand {
        @Parameters(paramLabel = "FILE", description = "The file; - is standard input.")
        @SuppressWarnings("NullAway.Init")
        private Path file;

        @Override
        public Role role() {
            return Role.ERASER;
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) throws IOException {
            try (BufferedReader lines = Documents.lines(file)) {
                int imported = Erasure.in(pool, settings.schema()).importFrom(lines);
                output().object(Output.row("file", file, "imported", imported));
            }
            return ExitCode.OK;
        }
    }

    @Command(name = "repeat", description = "Erases again what any order names: after a backup was restored.")
    static final class Repeat extends MutatingCommand {
        @Override
        public Role role() {
            return Role.ERASER;
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            Erasure erasure = Erasure.in(pool, settings.schema());
            int orders = erasure.orders().size();
            if (isDryRun()) {
                output().object(Output.row("orders", orders));
                return ExitCode.OK;
            }
            confirmMany("orders are repeated: every copy that one of them names is erased for good", orders);
            return print(this, settings.schema(), erasure.repeat(instruction()), "removed");
        }
    }

    @Command(name = "lift", description = "Takes an order back: what it names may come again. Brings nothing back.")
    static final class Lift extends MutatingCommand {
        @ArgGroup(multiplicity = "1")
        @SuppressWarnings("NullAway.Init")
        private Subject subject;

        @Override
        public Role role() {
            return Role.ERASER;
        }

        @Override
        protected int run(DatabaseSettings settings, DataSource pool) {
            boolean lifted = !isDryRun() && Erasure.in(pool, settings.schema()).lift(subject.request(), instruction());
            output().object(Output.row("lifted", lifted));
            return lifted || isDryRun() ? ExitCode.OK : ExitCode.NOT_FOUND;
        }
    }

    private static int print(DatabaseCommand verb, SchemaName schema, ErasureReport report, String deed) {
        Output output = verb.output();
        long elsewhere = report.remaining().getOrDefault(Place.ARCHIVED_ELSEWHERE, 0L);
        Map<String, Object> archives = Output.row(
                "reached", List.of(schema.table("dead_letter_archive")),
                "outOfReach", List.of("archives outside this database"),
                "documentsOutOfReach", elsewhere);
        if (output.isJson()) {
            output.object(Output.row(
                    deed, counts(report.removed()), "left", counts(report.remaining()), "archives", archives));
        } else {
            output.table(rows(report, deed), "There is no copy in this database.");
            output.say("Archive reached: the table " + schema.table("dead_letter_archive"));
            output.say("Archives not reached: any outside this database; "
                    + (elsewhere == 0
                            ? "no dead letter that is named has its document there"
                            : "dead letters that have their documents there: " + elsewhere
                                    + ". Erase again in the application that has that archive"));
        }
        return elsewhere == 0 ? ExitCode.OK : ExitCode.WARNINGS;
    }

    private static List<Map<String, Object>> rows(ErasureReport report, String deed) {
        var rows = new ArrayList<Map<String, Object>>();
        for (Place place : Place.values()) {
            long count = report.removed().getOrDefault(place, 0L);
            long left = report.remaining().getOrDefault(place, 0L);
            if (count + left > 0) {
                rows.add(Output.row("place", name(place), deed, count, "left", left));
            }
        }
        return rows;
    }

    private static Map<String, Object> counts(Map<Place, Long> counts) {
        Map<String, Object> named = Output.row();
        counts.forEach((place, count) -> named.put(name(place), count));
        return named;
    }

    private static String name(Place place) {
        return place.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Map<String, Object> row(Erasure.Order order) {
        return Output.row(
                "digest", order.digest(),
                "kind", order.kind().name().toLowerCase(Locale.ROOT),
                "live", order.live(),
                "operator", order.instruction().operator(),
                "reason", order.instruction().reason(),
                "at", order.orderedAt());
    }
}
